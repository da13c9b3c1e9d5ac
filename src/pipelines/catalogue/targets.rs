//! The connector types that are written to, and the SMT job.

use super::field::{Field, Group, Rule, Spec};
use super::shared::{
    BIGQUERY, DATABASE, GOOGLE_ENDPOINT, GOOGLE_PROJECT, HEADERS, HOST, KAFKA, MONGODB, MYSQL, OBJECT_STORE, OPTIONAL_PASSWORD,
    OPTIONAL_USER, ORACLE, POSTGRES, ROOT_CERTIFICATE, SCHEMA, SERVICE_ACCOUNT_KEY, SNOWFLAKE, SQL_SERVER, WEB_FORM, WEB_SIGN_IN, port,
};

pub(super) const SNOWFLAKE_RULES: &[Rule] = &[Rule::AnyOf(&["password", "privateKey"], "Give password or privateKey.")];

pub(super) const KAFKA_RULES: &[Rule] = &[
    Rule::When { field: "securityProtocol", is: &["SASL_PLAINTEXT", "SASL_SSL"], needs: &["saslMechanism"] },
    Rule::When { field: "saslMechanism", is: &["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"], needs: &["saslUsername", "saslPassword"] },
];

pub(super) const WEB_RULES: &[Rule] = &[
    Rule::When { field: "authentication", is: &["basic"], needs: &["user", "password"] },
    Rule::When { field: "authentication", is: &["bearer"], needs: &["bearerToken"] },
    Rule::When { field: "authentication", is: &["header"], needs: &["headerName", "headerSecret"] },
];

pub(super) const TARGETS: &[Spec] = &[
    Spec::target("POSTGRES_TARGET", "PostgreSQL target", "Writes to the tables of a PostgreSQL database.", &[POSTGRES]),
    Spec::target("MYSQL_TARGET", "MySQL target", "Writes to the tables of a MySQL or MariaDB database.", &[MYSQL]),
    Spec::target(
        "SQLSERVER_TARGET",
        "SQL Server target",
        "Writes to the tables of a Microsoft SQL Server database.",
        &[SQL_SERVER, &[SCHEMA.preset("\"dbo\"")]],
    ),
    Spec::target("ORACLE_TARGET", "Oracle target", "Writes to the tables of an Oracle database.", &[ORACLE, &[SCHEMA]]),
    Spec::target("MONGODB_TARGET", "MongoDB target", "Writes to the collections of a MongoDB database.", &[MONGODB]),
    Spec::target("SNOWFLAKE_TARGET", "Snowflake target", "Writes to the tables of a Snowflake database.", &[SNOWFLAKE])
        .rules(SNOWFLAKE_RULES),
    Spec::target("BIGQUERY_TARGET", "BigQuery target", "Writes to the tables of a BigQuery dataset.", &[BIGQUERY]),
    Spec::target(
        "CLICKHOUSE_TARGET",
        "ClickHouse target",
        "Writes to the tables of a ClickHouse database over HTTP.",
        &[&[
            HOST,
            port("8443"),
            DATABASE.preset("\"default\""),
            OPTIONAL_USER.preset("\"default\""),
            OPTIONAL_PASSWORD,
            Field::flag("tls", "TLS", "Whether the connection is encrypted.").at(Group::Encryption).preset("true"),
            ROOT_CERTIFICATE,
        ]],
    ),
    Spec::target(
        "ICEBERG_TARGET",
        "Apache Iceberg target",
        "Writes to the tables of an Iceberg catalogue.",
        &[
            &[
                Field::leads_to("catalogUri", "Catalogue", "Where the REST catalogue is.", WEB_FORM)
                    .required()
                    .example("https://catalog.example.com/v1"),
                Field::leads_to("warehouse", "Warehouse", "Where the files are kept, or the catalogue's name for it.", r"^\S+$")
                    .required()
                    .example("s3://lake/warehouse"),
                Field::text("namespace", "Namespace", "The namespace of the tables.").required().at(Group::Connection),
                Field::secret("credential", "Credential", "How one signs in to the catalogue, as `client:secret` of OAuth 2."),
                Field::secret("bearerToken", "Bearer token", "A token for the catalogue, instead of a credential."),
                Field::leads_to(
                    "oauthUrl",
                    "OAuth 2 server",
                    "Where the credential is exchanged for a token; the catalogue itself when left out.",
                    WEB_FORM,
                ),
            ],
            OBJECT_STORE,
        ],
    ),
    Spec::target(
        "DELTA_LAKE_TARGET",
        "Delta Lake target",
        "Writes to the tables of a Delta lake.",
        &[
            &[Field::leads_to("lakeUri", "Lake", "Where the tables are kept.", r"^(s3|s3a|abfss|gs|file)://\S+$")
                .required()
                .example("s3://lake/tables")],
            OBJECT_STORE,
            &[
                Field::secret("storageAccountKey", "Storage account key", "The key of an Azure storage account, for `abfss`."),
                SERVICE_ACCOUNT_KEY,
            ],
        ],
    ),
    Spec::target(
        "ELASTICSEARCH_TARGET",
        "Elasticsearch target",
        "Writes to the indexes of an Elasticsearch or OpenSearch cluster.",
        &[&[
            Field::texts("urls", "URLs", "The nodes to talk to.")
                .urls()
                .required()
                .at(Group::Connection)
                .example("https://search.example.com:9200"),
            OPTIONAL_USER,
            OPTIONAL_PASSWORD,
            Field::secret("apiKey", "API key", "A key of the cluster, instead of user and password."),
            ROOT_CERTIFICATE,
            Field::text("indexPrefix", "Index prefix", "What the names of indexes begin with.").form(r"^[a-z0-9][a-z0-9._-]*$"),
        ]],
    ),
    Spec::target(
        "KAFKA_TARGET",
        "Kafka target",
        "Writes to topics of an Apache Kafka cluster.",
        &[
            KAFKA,
            &[
                Field::one_of("compression", "Compression", "How batches are compressed.", &["none", "gzip", "snappy", "lz4", "zstd"])
                    .preset("\"none\""),
                Field::one_of(
                    "acks",
                    "Acknowledgement",
                    "How many replicas must have a record: none, the leader, or all in sync.",
                    &["none", "leader", "all"],
                )
                .preset("\"all\""),
            ],
        ],
    )
    .rules(KAFKA_RULES),
    Spec::target(
        "PUBSUB_TARGET",
        "Google Pub/Sub target",
        "Publishes to topics of a Google Cloud project.",
        &[&[
            GOOGLE_PROJECT,
            GOOGLE_ENDPOINT,
            SERVICE_ACCOUNT_KEY,
            Field::flag("ordered", "In order", "Whether messages with the same key stay in order.").preset("true"),
        ]],
    ),
    Spec::target(
        "WEBHOOK_TARGET",
        "Webhook target",
        "Sends each record, or a batch of them, to a web service.",
        &[
            &[
                Field::leads_to("url", "URL", "The address that records are sent to.", WEB_FORM)
                    .required()
                    .example("https://hooks.example.com/orders"),
                HEADERS,
            ],
            WEB_SIGN_IN,
            &[
                Field::one_of("method", "Method", "The method of a request.", &["POST", "PUT", "PATCH"]).preset("\"POST\""),
                Field::secret("signingSecret", "Signing secret", "What requests are signed with (HMAC-SHA-256), if they are."),
                Field::whole("batchSize", "Batch", "The most records of a request.", 1, 10_000).preset("1"),
                Field::whole("timeoutSeconds", "Timeout", "Seconds that a request may take.", 1, 300).preset("30"),
            ],
        ],
    )
    .rules(WEB_RULES),
    Spec::target(
        "JOB_SMT",
        "Transform job",
        "Applies single-message transforms to the records of its subscriptions and publishes them again. It is fed like a target.",
        &[&[
            Field::whole("parallelism", "Parallelism", "How many partitions it works on at a time.", 1, 256).preset("1"),
            Field::text("errorTopic", "Error topic", "Where records go that cannot be transformed; they stop the job when left out.")
                .form(r"^[A-Za-z0-9._-]{1,249}$"),
        ]],
    )
    .leads_nowhere("It works on the broker of its env."),
];
