"""A private PostgreSQL with the generated rows, below the work directory.

Always holds: it listens on this machine alone, and its process is a child of the bench; nothing else is ever stopped. The rows are made
anew on another day, since "today" and "the last 30 days" hang on the day of the load, and when what makes them has changed."""
import glob
import hashlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.abspath(f"{HERE}/../../..")
WORK = os.path.abspath(os.environ.get("BENCH_WORK", f"{ROOT}/target/bench"))
BIN = f"{WORK}/load/release"
PASSWORD = "measured-and-thrown-away"
# With it on, the disk's fsync hides every difference of M1 and M2 at one connection.
SETTINGS = {"shared_buffers": "1GB", "jit": "off", "synchronous_commit": "off", "max_connections": "200", "max_wal_size": "4GB",
            "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "log_min_messages": "warning"}


def programs():
    """The folder of the newest PostgreSQL here."""
    found = shutil.which("postgres")
    folders = [os.path.dirname(os.path.realpath(found))] if found else []
    folders += sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda p: -int(p.split("/")[-2]))
    for folder in folders:
        if os.path.exists(f"{folder}/initdb"):
            return folder
    raise SystemExit("no PostgreSQL is here; .ci/install postgresql brings it")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self):
        self.bin = programs()
        self.data = f"{WORK}/postgres"
        self.port = free_port()
        # PostgreSQL does not run as root.
        self.account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.process = None

    def environment(self, database="postgres"):
        return {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "postgres", "PGDATABASE": database,
                "PATH": f"{os.environ['PATH']}:{self.bin}", "PGOPTIONS": ""}

    def command(self, *words, **more):
        who = dict(user=self.account.pw_uid, group=self.account.pw_gid, extra_groups=[]) if self.account else {}
        return subprocess.Popen(words, cwd="/", start_new_session=True, **who, **more)

    def start(self):
        if not os.path.exists(f"{self.data}/PG_VERSION"):
            os.makedirs(self.data, mode=0o700, exist_ok=True)
            if self.account:
                os.chown(self.data, self.account.pw_uid, self.account.pw_gid)
            made = self.command(f"{self.bin}/initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", stdout=subprocess.DEVNULL)
            if made.wait():
                raise SystemExit(f"{self.data} cannot be made; BENCH_WORK names another folder, which the account postgres must reach")
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        log = open(f"{WORK}/postgres.log", "a")
        self.process = self.command(f"{self.bin}/postgres", "-D", self.data, "-p", str(self.port), *settings, stdout=log, stderr=log)
        for _ in range(300):
            if subprocess.run([f"{self.bin}/pg_isready", "-q"], env={**os.environ, **self.environment()}).returncode == 0:
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        raise SystemExit(f"PostgreSQL did not start: see {WORK}/postgres.log")

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def sql(self, text, database="postgres"):
        return self.psql(database, "-c", text)

    def psql(self, database, *words):
        done = subprocess.run(["psql", "-AtqX", "-v", "ON_ERROR_STOP=1", *words], capture_output=True, text=True,
                              env={**os.environ, **self.environment(database), "PGTZ": "UTC"})
        if done.returncode:
            raise RuntimeError(f"{words}: {done.stderr[-1000:]}")
        return done.stdout

    def version(self):
        return self.sql("SHOW server_version").strip()

    def load(self, own):
        """The generated database, and those that servers make of it for themselves (name, folder, environment)."""
        self.fresh("bench", digest(f"{HERE}/data/*.sql"), self.generate)
        for database, folder, more in own:
            def seed(database=database, folder=folder, more=more):
                self.sql(f"CREATE DATABASE {database} TEMPLATE bench")
                subprocess.run([f"{folder}/load"], cwd=folder, env={**os.environ, **self.environment(database), **more}, check=True)
            what = digest(f"{HERE}/data/*.sql", f"{folder}/*.sql", f"{folder}/load", f"{folder}/*.sh", f"{ROOT}/migrations/*.sql")
            self.fresh(database, what, seed)

    def generate(self):
        self.sql("CREATE DATABASE bench")
        for name in ("tables", "rows", "indexes", "live"):
            self.psql("bench", "-f", f"{HERE}/data/{name}.sql")

    def fresh(self, database, what, make):
        wanted = f"{time.strftime('%Y-%m-%d', time.gmtime())} {what}"
        there = self.sql(f"SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{database}'").strip()
        if there == wanted:
            return
        print(f"loading {database}", flush=True)
        begun = time.time()
        self.sql(f"DROP DATABASE IF EXISTS {database}")
        make()
        self.sql(f"COMMENT ON DATABASE {database} IS '{wanted}'")
        print(f"loaded {database} in {time.time() - begun:.0f} s", flush=True)


def digest(*patterns):
    whole = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in glob.glob(pattern)):
        whole.update(open(path, "rb").read())
    return whole.hexdigest()[:16]
