# How the server under test is set; read by `load` and `start`. The keys are those of this bench and protect nothing.
zeros() { head -c 32 /dev/zero | base64; }
export PUMPHOUSE_ENCRYPTION_KEYS="bench:$(zeros)"
export PUMPHOUSE_TOKEN_KEY="$(zeros)"
export PUMPHOUSE_DATABASE_URL="postgres://$PGUSER@$PGHOST:$PGPORT/$PGDATABASE"
# So long that no worker is silent and no stop overdue while the rows are fresh: the leader then has nothing to write.
export PUMPHOUSE_HEARTBEAT_LIMIT=1h PUMPHOUSE_STOP_TIMEOUT=24h
# PostgreSQL and what makes the load want the other processor; the others here have one thread as well.
export PUMPHOUSE_THREADS=1
