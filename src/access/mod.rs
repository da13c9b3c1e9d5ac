//! Who may act, and on what: envs, teams, users, memberships, requests, service accounts (domain.md section 1).

mod administration;
mod env;
mod login;
mod member;
pub mod organisation;
mod password_mutation;
mod request;
mod service_account;
mod superusers;
mod team;
mod throttle;
pub mod token;
mod user;
mod user_mutation;
mod viewer_query;

pub use administration::{Listed, create_user, deactivate, first_superuser, set_password, users};
pub use env::Env;
pub use login::{LoginInput, LoginMutation, SignIn, TokenLifetime, login};
pub use member::{EnvMember, EnvRole, TeamMember};
pub use password_mutation::PasswordMutation;
pub use request::{EnvRequest, RequestStatus, TeamRequest};
pub use service_account::ServiceAccount;
pub use team::Team;
pub use throttle::{ClientAddress, SignInLimits, Throttle};
pub use user::User;
pub use user_mutation::UserMutation;
pub use viewer_query::ViewerQuery;
