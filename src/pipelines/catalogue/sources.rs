//! The connector types that are read from.

use super::field::{Field, Group, Rule, Spec};
use super::shared::{
    BIGQUERY, CONSUMER_GROUP, HEADERS, HOST, KAFKA, MONGODB, MYSQL, ORACLE, PASSWORD, POSTGRES, SCHEMA, SNOWFLAKE, SQL_SERVER, TOPICS,
    USER, WEB_FORM, WEB_SIGN_IN, port,
};
use super::targets::{KAFKA_RULES, SNOWFLAKE_RULES, WEB_RULES};

pub(super) const SOURCES: &[Spec] = &[
    Spec::source("POSTGRES_SOURCE", "PostgreSQL source", "Reads the tables of a PostgreSQL database.", &[POSTGRES]),
    Spec::source(
        "MYSQL_SOURCE",
        "MySQL source",
        "Reads the tables of a MySQL or MariaDB database and follows its binary log.",
        &[
            MYSQL,
            &[Field::whole(
                "serverId",
                "Server id",
                "A number that no other replica of the server has; chosen when left out.",
                1,
                4_294_967_295,
            )],
        ],
    ),
    Spec::source(
        "SQLSERVER_SOURCE",
        "SQL Server source",
        "Reads the tables of a Microsoft SQL Server database and follows its change data capture.",
        &[SQL_SERVER],
    ),
    Spec::source(
        "ORACLE_SOURCE",
        "Oracle source",
        "Reads the tables of an Oracle database and follows its redo log.",
        &[
            ORACLE,
            &[Field::text(
                "pluggableDatabase",
                "Pluggable database",
                "The pluggable database whose tables are read, when the service is the container's.",
            )],
        ],
    ),
    Spec::source(
        "IBMI_SOURCE",
        "IBM i source",
        "Reads the tables of Db2 for i and follows their journal.",
        &[&[
            HOST,
            port("446"),
            Field::text("library", "Library", "The library (schema) in which the tables are.").required().at(Group::Connection),
            Field::text("journal", "Journal", "The journal to follow, as `LIBRARY/JOURNAL`; that of the tables when left out.")
                .example("SHOP/QSQJRN"),
            USER,
            PASSWORD,
            Field::flag("tls", "TLS", "Whether the connection is encrypted.").at(Group::Encryption).preset("true"),
        ]],
    ),
    Spec::source(
        "IBMZ_SOURCE",
        "IBM Z source",
        "Reads the tables of Db2 for z/OS and follows its log.",
        &[&[
            HOST,
            port("446"),
            Field::text("location", "Location", "The location name of the Db2 subsystem.").required().at(Group::Connection).example("DB2P"),
            SCHEMA,
            USER,
            PASSWORD,
            Field::flag("tls", "TLS", "Whether the connection is encrypted (AT-TLS).").at(Group::Encryption).preset("true"),
        ]],
    ),
    Spec::source(
        "MONGODB_SOURCE",
        "MongoDB source",
        "Reads the collections of a MongoDB database and follows its change streams.",
        &[MONGODB, &[Field::texts("collections", "Collections", "The collections to read; all of the database when left out.")]],
    ),
    Spec::source(
        "SNOWFLAKE_SOURCE",
        "Snowflake source",
        "Reads the tables of a Snowflake database and follows their streams.",
        &[SNOWFLAKE],
    )
    .rules(SNOWFLAKE_RULES),
    Spec::source("BIGQUERY_SOURCE", "BigQuery source", "Reads the tables of a BigQuery dataset.", &[BIGQUERY]),
    Spec::source("KAFKA_SOURCE", "Kafka source", "Reads topics of an Apache Kafka cluster.", &[KAFKA, &[TOPICS, CONSUMER_GROUP]])
        .rules(KAFKA_RULES),
    Spec::source(
        "EVENT_HUBS_SOURCE",
        "Azure Event Hubs source",
        "Reads event hubs of an Azure namespace.",
        &[&[
            Field::leads_to("namespaceHost", "Namespace", "The full host name of the namespace.", r"^[A-Za-z0-9.-]+$")
                .required()
                .example("my-namespace.servicebus.windows.net"),
            Field::texts("eventHubs", "Event hubs", "The event hubs to read.").required(),
            CONSUMER_GROUP.preset("\"$Default\""),
            Field::secret("connectionString", "Connection string", "The connection string of a policy that may listen."),
            Field::text("tenantId", "Tenant", "The Entra tenant, when an application signs in.").at(Group::SignIn),
            Field::text("clientId", "Client", "The id of that application.").at(Group::SignIn),
            Field::secret("clientSecret", "Client secret", "The secret of that application."),
        ]],
    )
    .rules(&[Rule::AnyOf(&["connectionString", "clientSecret"], "Give connectionString; or tenantId, clientId and clientSecret.")]),
    Spec::source(
        "SALESFORCE_SOURCE",
        "Salesforce source",
        "Reads objects of a Salesforce organisation.",
        &[&[
            Field::leads_to("instanceUrl", "Instance", "Where the organisation is.", WEB_FORM)
                .required()
                .example("https://example.my.salesforce.com"),
            Field::leads_to("loginUrl", "Login", "Where one signs in.", WEB_FORM).preset("\"https://login.salesforce.com\""),
            Field::text("clientId", "Client", "The consumer key of the connected app.").required().at(Group::SignIn),
            Field::secret("clientSecret", "Client secret", "The consumer secret of the connected app.").required(),
            Field::text("user", "User", "The user to sign in as; the app itself when left out.").at(Group::SignIn),
            Field::secret("password", "Password", "The user's password, with the security token behind it where that is asked for."),
            Field::texts("objects", "Objects", "The API names of the objects to read.").required(),
            Field::text("apiVersion", "API version", "The version of the API.").form(r"^[0-9]{2}\.0$").preset("\"61.0\""),
        ]],
    ),
    Spec::source(
        "SAP_SOURCE",
        "SAP source",
        "Reads tables and data sources of an SAP system.",
        &[&[
            HOST,
            Field::text("systemNumber", "System number", "The number of the instance, two digits.")
                .form("^[0-9]{2}$")
                .required()
                // It makes the port.
                .destination()
                .at(Group::Connection)
                .example("00"),
            Field::text("client", "Client", "The client, three digits.").form("^[0-9]{3}$").required().at(Group::SignIn).example("100"),
            USER,
            PASSWORD,
            Field::text("language", "Language", "The language to sign in with, two letters.")
                .form("^[A-Z]{2}$")
                .at(Group::SignIn)
                .preset("\"EN\""),
            Field::texts("objects", "Objects", "The tables, views or data sources to read.").required(),
        ]],
    ),
    Spec::source(
        "REST_SOURCE",
        "REST API source",
        "Asks a web service for records, again and again.",
        &[
            &[
                Field::leads_to("url", "URL", "The address to ask.", WEB_FORM).required().example("https://api.example.com/v1/orders"),
                HEADERS,
            ],
            WEB_SIGN_IN,
            &[
                Field::text(
                    "recordsPath",
                    "Records",
                    "Where the list of records is in the answer, as a JSON pointer; the answer itself when left out.",
                )
                .form(r"^(/[^/]*)*$")
                .example("/data/items"),
                Field::text("keyPath", "Key", "Where the key is in a record, as a JSON pointer.").form(r"^(/[^/]*)+$").example("/id"),
                Field::one_of("pagination", "Pages", "How the next page is asked for.", &["none", "link-header", "page-number", "cursor"])
                    .preset("\"none\""),
                Field::whole("intervalSeconds", "Interval", "Seconds from one round to the next.", 1, 86_400).preset("300"),
            ],
        ],
    )
    .rules(WEB_RULES),
    Spec::source(
        "WEBHOOK_SOURCE",
        "Webhook source",
        "Takes the records that others send to the worker.",
        &[&[
            Field::text("path", "Path", "The path that records are sent to, at the worker.")
                .form(r"^/[A-Za-z0-9/_.-]*$")
                .required()
                .example("/orders"),
            Field::secret("signingSecret", "Signing secret", "What senders sign their requests with (HMAC-SHA-256).").required(),
            Field::text("signatureHeader", "Signature header", "The header that carries the signature.")
                .at(Group::SignIn)
                .preset("\"X-Signature\""),
        ]],
    )
    .leads_nowhere("It is called and calls nobody."),
    Spec::source(
        "DATAGEN_SOURCE",
        "Data generator",
        "Makes records up, for trying things out.",
        &[&[
            Field::one_of("template", "Template", "What the records look like.", &["orders", "users", "clicks"]).required(),
            Field::whole("rowsPerSecond", "Rows a second", "How many records it makes in a second.", 1, 100_000).preset("10"),
            Field::whole("rows", "Rows", "After how many records it ends; never when left out.", 1, 1_000_000_000),
            Field::whole("seed", "Seed", "Where chance begins: the same number gives the same records.", 0, 4_294_967_295),
        ]],
    )
    .leads_nowhere("It makes its records itself."),
];
