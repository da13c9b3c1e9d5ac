//! Fields that several connector types have.

use super::field::{Field, Group};

/// A name or an address, without scheme and port.
const HOST_FORM: &str = r"^([^\s/:@?#\[\]]+|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+\]?)$";
/// The same, or the directory of a socket.
const HOST_OR_SOCKET_FORM: &str = r"^([^\s/:@?#\[\]]+|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+\]?|/\S*)$";
/// `host:port`, several of them separated by commas.
const SERVERS_FORM: &str = r"^\s*[^\s,/@?#]+:[0-9]{1,5}(\s*,\s*[^\s,/@?#]+:[0-9]{1,5})*\s*$";
/// An address of the web.
pub(super) const WEB_FORM: &str = r"^https?://\S+$";

pub(super) const HOST: Field = Field::leads_to("host", "Host", "The host name or IP address, without scheme and port.", HOST_FORM)
    .required()
    .example("db.example.com");

pub(super) const HOST_OR_SOCKET: Field = Field::leads_to(
    "host",
    "Host",
    "The host name or IP address, without scheme and port; or the directory of its socket on the worker's machine.",
    HOST_OR_SOCKET_FORM,
)
.required()
.example("db.example.com");

/// The port, whose usual number is given as JSON text.
pub(super) const fn port(usual: &'static str) -> Field {
    Field::whole("port", "Port", "The port that it listens on.", 1, 65_535).destination().at(Group::Connection).preset(usual)
}

pub(super) const DATABASE: Field =
    Field::text("database", "Database", "The name of the database.").required().at(Group::Connection).example("shop");
pub(super) const SCHEMA: Field = Field::text("schema", "Schema", "The schema in which its tables are.").at(Group::Connection);
pub(super) const USER: Field = Field::text("user", "User", "The user to sign in as.").required().at(Group::SignIn);
pub(super) const PASSWORD: Field = Field::secret("password", "Password", "The user's password.").required();
pub(super) const OPTIONAL_USER: Field = Field::text("user", "User", "The user to sign in as, where that is asked for.").at(Group::SignIn);
pub(super) const OPTIONAL_PASSWORD: Field = Field::secret("password", "Password", "The user's password, where one is asked for.");

/// How the connection is encrypted, in the words of PostgreSQL.
pub(super) const SSL_MODE: Field = Field::one_of(
    "sslMode",
    "TLS",
    "Whether the connection is encrypted: `disable` never, `prefer` when the server can, `require` always, `verify-ca` with a certificate of a known authority, `verify-full` with one for this host.",
    &["disable", "prefer", "require", "verify-ca", "verify-full"],
)
.at(Group::Encryption)
.preset("\"prefer\"");

pub(super) const ROOT_CERTIFICATE: Field = Field::certificate(
    "sslRootCertificate",
    "Root certificate",
    "The certificate of the authority that is trusted, in PEM; the system's when left out.",
);
const CLIENT_CERTIFICATE: Field =
    Field::certificate("sslClientCertificate", "Client certificate", "The certificate to show, in PEM, where the server asks for one.");
const CLIENT_KEY: Field =
    Field::secret_lines("sslClientKey", "Client key", "The private key of the client certificate, in PEM.").at(Group::Encryption);

/// What a PostgreSQL server is reached with: exactly what the worker of this program reads.
pub(super) const POSTGRES: &[Field] = &[
    HOST_OR_SOCKET,
    port("5432"),
    DATABASE,
    USER,
    Field::secret("password", "Password", "The user's password; leave it out when the server asks for none."),
    SSL_MODE,
];

pub(super) const MYSQL: &[Field] = &[HOST, port("3306"), DATABASE, USER, PASSWORD, SSL_MODE, ROOT_CERTIFICATE];

pub(super) const SQL_SERVER: &[Field] = &[
    HOST,
    port("1433"),
    DATABASE,
    USER,
    PASSWORD,
    Field::flag("encrypt", "TLS", "Whether the connection is encrypted.").at(Group::Encryption).preset("true"),
    Field::flag("trustServerCertificate", "Trust any certificate", "Whether a certificate that nobody vouches for will do.")
        .at(Group::Encryption)
        .preset("false"),
];

pub(super) const ORACLE: &[Field] = &[
    HOST,
    port("1521"),
    Field::text("serviceName", "Service name", "The service that the listener offers: letters, digits and `._$#-`.")
        .form(r"^[A-Za-z0-9._$#-]+$")
        .required()
        .at(Group::Connection)
        .example("ORCLPDB1"),
    USER,
    PASSWORD,
    Field::flag("tls", "TLS", "Whether the connection is encrypted (TCPS).").at(Group::Encryption).preset("false"),
    ROOT_CERTIFICATE,
];

pub(super) const MONGODB: &[Field] = &[
    Field::leads_to(
        "uri",
        "Connection string",
        "Where the cluster is; better without user and password, which have fields of their own.",
        r"^mongodb(\+srv)?://\S+$",
    )
    .required()
    .example("mongodb+srv://cluster0.example.mongodb.net"),
    DATABASE,
    OPTIONAL_USER,
    OPTIONAL_PASSWORD,
    Field::text("authSource", "Authentication database", "The database that the user is kept in.").at(Group::SignIn).preset("\"admin\""),
];

pub(super) const SNOWFLAKE: &[Field] = &[
    Field::leads_to("account", "Account", "The account identifier, without `.snowflakecomputing.com`.", r"^[A-Za-z0-9._-]+$")
        .required()
        .example("myorg-account123"),
    DATABASE,
    SCHEMA,
    Field::text("warehouse", "Warehouse", "The warehouse that computes.").required().at(Group::Connection),
    Field::text("role", "Role", "The role to act in; the user's default when left out.").at(Group::SignIn),
    USER,
    Field::secret("password", "Password", "The user's password, when it signs in with one."),
    Field::secret_lines("privateKey", "Private key", "The user's private key, in PEM, when it signs in with one."),
    Field::secret("privateKeyPassphrase", "Passphrase", "What the private key is encrypted with, if it is."),
];

pub(super) const SERVICE_ACCOUNT_KEY: Field = Field::secret_lines(
    "serviceAccountKey",
    "Service account key",
    "The key of a service account, as the JSON text that Google Cloud gives; the worker's own identity when left out.",
);
pub(super) const GOOGLE_PROJECT: Field =
    Field::leads_to("projectId", "Project", "The Google Cloud project.", r"^[a-z0-9.:-]+$").required().example("my-project-1234");
pub(super) const GOOGLE_ENDPOINT: Field =
    Field::leads_to("endpoint", "Endpoint", "Another address of the service, such as an emulator's.", WEB_FORM);

pub(super) const BIGQUERY: &[Field] = &[
    GOOGLE_PROJECT,
    Field::text("dataset", "Dataset", "The dataset in which its tables are.").required().at(Group::Connection),
    Field::text("location", "Location", "Where the dataset is kept.").at(Group::Connection).example("EU"),
    GOOGLE_ENDPOINT,
    SERVICE_ACCOUNT_KEY,
];

pub(super) const KAFKA: &[Field] = &[
    Field::leads_to("bootstrapServers", "Bootstrap servers", "Brokers to begin with, as `host:port`, separated by commas.", SERVERS_FORM)
        .required()
        .example("kafka-1:9093,kafka-2:9093"),
    Field::one_of(
        "securityProtocol",
        "Protocol",
        "Whether the connection is encrypted (SSL), and whether one signs in (SASL).",
        &["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"],
    )
    .at(Group::Connection)
    .preset("\"PLAINTEXT\""),
    Field::one_of("saslMechanism", "Mechanism", "How one signs in.", &["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"])
        .at(Group::SignIn),
    Field::text("saslUsername", "User", "The user to sign in as.").at(Group::SignIn),
    Field::secret("saslPassword", "Password", "The user's password."),
    ROOT_CERTIFICATE,
    CLIENT_CERTIFICATE,
    CLIENT_KEY,
];

/// Object stores, where a lake keeps its files.
pub(super) const OBJECT_STORE: &[Field] = &[
    // It becomes a part of the store's host name.
    Field::text("region", "Region", "The region of the bucket: letters, digits and `-`.")
        .form("^[A-Za-z0-9-]+$")
        .at(Group::Connection)
        .example("eu-central-1"),
    Field::leads_to(
        "storeEndpoint",
        "Store endpoint",
        "Another address of the object store, for one that only speaks S3's protocol.",
        WEB_FORM,
    ),
    Field::secret("accessKeyId", "Access key id", "The id of an access key; the worker's own identity when left out."),
    Field::secret("secretAccessKey", "Secret access key", "The secret of that access key."),
];

/// How one signs in to a service of the web.
pub(super) const WEB_SIGN_IN: &[Field] = &[
    Field::one_of(
        "authentication",
        "Sign-in",
        "How a request says who asks: not at all, with user and password, with a bearer token, or with a header.",
        &["none", "basic", "bearer", "header"],
    )
    .at(Group::SignIn)
    .preset("\"none\""),
    OPTIONAL_USER,
    OPTIONAL_PASSWORD,
    Field::secret("bearerToken", "Bearer token", "The token that is sent as `Authorization: Bearer`."),
    Field::text("headerName", "Header", "The name of the header that says who asks.")
        .form(r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
        .at(Group::SignIn)
        .example("X-Api-Key"),
    Field::secret("headerSecret", "Value of the header", "What that header says."),
];

/// Headers that every request carries.
pub(super) const HEADERS: Field = Field::items(
    "headers",
    "Further headers",
    "Headers that every request carries.",
    &[
        Field::text("name", "Name", "The name of the header.").form(r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$").required(),
        Field::secret("value", "Value", "What it says.").required(),
    ],
)
.at(Group::Connection);

/// The topics that a source reads.
pub(super) const TOPICS: Field = Field::texts("topics", "Topics", "The topics to read.").required();
/// The name under which readers of a topic share their work.
pub(super) const CONSUMER_GROUP: Field =
    Field::text("consumerGroup", "Consumer group", "The group to read as; the connector's id when left out.");
