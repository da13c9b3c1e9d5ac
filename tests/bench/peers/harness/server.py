"""A server is a folder; README.md says what may lie in it.

Always holds: a workload is measured only when its first answer is what plain SQL says of the same database."""
import collections
import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

from .cluster import BIN, HERE, PASSWORD, WORK, free_port

READS = ["q1", "q2", "q3", "q4", "q5", "q6"]
WRITES = ["m1", "m2"]


def read(path):
    with open(path) as file:
        return file.read()


class Server:
    def __init__(self, name, cluster):
        self.name, self.cluster, self.folder = name, cluster, f"{HERE}/{name}"
        self.about = json.loads(read(f"{self.folder}/server.json"))
        # Who makes tables of their own has a database of their own.
        self.owns = os.path.exists(f"{self.folder}/load")
        self.database = f"bench_{name}" if self.owns else "bench"
        self.named = self.about.get("named", False)
        self.environment = {"BENCH_BIN": BIN, "BENCH_NODE": f"{WORK}/node/{name}", "BENCH_PASSWORD": PASSWORD, "NODE_ENV": "production", "GRAPHILE_ENV": "production"}
        self.token, self.process, self.port = None, None, None

    def start(self):
        self.port = free_port()
        log = open(f"{WORK}/{self.name}.log", "w")
        environment = {**os.environ, **self.environment, **self.cluster.environment(self.database), "PORT": str(self.port)}
        self.process = subprocess.Popen([f"{self.folder}/start"], cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        self.wait(self.answers, 90)
        if os.path.exists(f"{self.folder}/sign-in.graphql"):
            variables = {"email": "user1@example.test", "password": PASSWORD}
            self.token = leaves(self.ask(read(f"{self.folder}/sign-in.graphql"), variables))[0]
        if "settled" in self.about:
            self.wait(lambda: self.sql(self.about["settled"]).strip() == "t", 300)
        return self

    def wait(self, done, seconds):
        end = time.time() + seconds
        while not done():
            if self.process.poll() is not None or time.time() > end:
                raise SystemExit(f"{self.name} is not there: see {WORK}/{self.name}.log")
            time.sleep(0.2)

    def answers(self):
        try:
            self.post(b'{"query":"{__typename}"}')
        except urllib.error.HTTPError:
            pass
        except OSError:
            return False
        return True

    def stop(self):
        # Our own child and what is in its session, nothing else.
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(15)
        except ProcessLookupError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def sql(self, text):
        return self.cluster.sql(text, self.database)

    def post(self, body, token=None):
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token or self.token:
            headers["Authorization"] = f"Bearer {token or self.token}"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.about['path']}", body, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def ask(self, query, variables):
        answer = json.loads(self.post(json.dumps({"query": query, "variables": variables}).encode()))
        if answer.get("errors"):
            raise RuntimeError(f"{self.name}: {json.dumps(answer['errors'])[:400]}")
        return answer["data"]

    def document(self, workload):
        path = f"{self.folder}/{workload}.graphql"
        return re.sub(r"\s+", " ", read(path)).strip() if os.path.exists(path) else None

    def sockets(self):
        return f"ws://127.0.0.1:{self.port + self.about.get('ws_port', 0)}{self.about['path']}"

    def does(self, workload):
        if workload.startswith(("idle", "equal")):
            return self.document("live-one") is not None
        if workload.startswith("l1"):
            return self.document(f"live-{workload.split('-')[1]}") is not None
        return os.path.exists(f"{self.folder}/{workload}.sql") if self.named else self.document(workload) is not None

    def prepare(self, workload):
        """Writes the workload's bodies and their tokens, a line each; answers the first one's variables and token."""
        own = f"{self.folder}/{workload}.vars.sql"
        every = [json.loads(line) for line in self.sql(read(own if os.path.exists(own) else f"{HERE}/vars/{workload}.sql")).splitlines()]
        tokens = [self.token] * len(every)
        before = self.document(f"{workload}.before")
        for number, variables in enumerate(every) if before else ():
            found = dict(named(self.ask(before, declared(before, variables))))
            tokens[number] = found.pop("accessToken", self.token)
            variables.update(found)
        document = self.document(workload)
        with open(f"{WORK}/{self.name}-{workload}.bodies", "w") as file:
            for variables in every:
                body = {"q": workload, "variables": variables} if self.named else {"query": document, "variables": declared(document, variables)}
                file.write(json.dumps(body, separators=(",", ":")) + "\n")
        with open(f"{WORK}/{self.name}-{workload}.tokens", "w") as file:
            file.writelines(f"{token}\n" for token in tokens if token)
        return every[0], tokens[0]

    def check(self, workload):
        """Why the first answer is wrong, if it is."""
        variables, token = self.prepare(workload)
        with open(f"{WORK}/{self.name}-{workload}.bodies") as file:
            body = file.readline().strip().replace("{seq}", "first")
        variables = {name: str(value).replace("{seq}", "first") for name, value in variables.items()}
        try:
            answer = json.loads(self.post(body.encode(), token))
        except urllib.error.HTTPError as error:
            return f"HTTP {error.code}: {error.read()[:300]}"
        if answer.get("errors"):
            return json.dumps(answer["errors"])[:400]
        wanted = self.wanted(f"{HERE}/floor/{workload}.sql" if workload in READS else f"{HERE}/vars/{workload}.check.sql", variables)
        got = collections.Counter(leaves(answer["data"]))
        if got == wanted:
            return None
        return f"missing {list((wanted - got).items())[:5]}; too much {list((got - wanted).items())[:5]}"

    def wanted(self, path, variables):
        """What the database itself says."""
        text = read(path)
        names = text.splitlines()[0].lstrip("- ").split()
        values = ", ".join("'" + variables[name].replace("'", "''") + "'" for name in names)
        answer = self.sql(f"PREPARE asked AS {text}; EXECUTE asked({values})").strip()
        return collections.Counter(leaves(json.loads(answer))) if answer else collections.Counter(["nothing in the database"])


def declared(document, variables):
    """Those that the document declares."""
    return {name: value for name, value in variables.items() if f"${name}" in document}


def named(value):
    """Every value of an answer with its name."""
    for name, inner in value.items() if isinstance(value, dict) else ():
        yield from named(inner) if isinstance(inner, dict) else [(name, inner)]


def leaves(value):
    """Every value of an answer, in the one spelling that is compared: lists in any order, times to the second, midnights as days."""
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    if value is None or isinstance(value, bool):
        return [{True: "true", False: "false", None: "null"}[value]]
    text = str(value)
    if re.match(r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", text):
        text = text[:19].replace(" ", "T").removesuffix("T00:00:00")
    return [text]
