// What a type of connector is called where there is little room; forms and pages of one connector use the catalogue's title.
const SPELT: Readonly<Record<string, string>> = {
  POSTGRES: 'PostgreSQL', MYSQL: 'MySQL', SQL_SERVER: 'SQL Server', MONGODB: 'MongoDB', BIGQUERY: 'BigQuery', CLICKHOUSE: 'ClickHouse',
  IBM_I: 'IBM i', IBM_Z: 'IBM Z', SAP: 'SAP', REST_API: 'REST API', PUB_SUB: 'Pub/Sub', JOB_SMT: 'SMT job', EVENT_HUBS: 'Event Hubs', DATAGEN: 'Data generator', ICEBERG: 'Apache Iceberg',
}; // prettier-ignore

export function kindOf(type: string): string {
  const stem = type.replace(/_(SOURCE|TARGET)$/, '');
  return SPELT[stem] ?? stem.charAt(0) + stem.slice(1).toLowerCase().replaceAll('_', ' ');
}
