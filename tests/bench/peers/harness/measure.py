"""One measurement: a program makes the load and says what it saw, as JSON."""
import json
import os
import subprocess

from .cluster import BIN, WORK


def trees(server):
    return ["--tree", f"server={server.process.pid}", "--tree", f"pg={server.cluster.process.pid}"]


def load(server, workload, connections, seconds, warm):
    """Requests in a closed loop over so many connections."""
    files = [f"{WORK}/{server.name}-{workload}.{kind}" for kind in ("bodies", "tokens")]
    words = ["--addr", f"127.0.0.1:{server.port}", "--path", server.about["path"], "--bodies", files[0]]
    words += ["--tokens", files[1]] if os.path.getsize(files[1]) else []
    words += ["--c", str(connections), "--secs", str(seconds), "--warm", str(warm)]
    return run("httpload", words + trees(server))


def live(server, workload, seconds):
    """Changes of workers on their way to so many sockets: `l1-all-1000`."""
    _, mode, sockets = workload.split("-")
    return follow(server, mode, sockets, server.document(f"live-{mode}"), seconds)


def equal(server, workload, seconds):
    """What a change costs that concerns nobody, with a hundred equal subscriptions and with so many: `equal-10000`."""
    many = workload.split("-")[1]
    results = {sockets: follow(server, "equal", sockets, server.document("live-one"), seconds) for sockets in ("100", many)}
    failed = [result for result in results.values() if "failed" in result]
    return failed[0] if failed else {"few": results["100"], "many": results[many]}


def follow(server, mode, sockets, query, seconds):
    environment = server.cluster.environment(server.database)
    database = f"host={environment['PGHOST']} port={environment['PGPORT']} user={environment['PGUSER']} dbname={server.database}"
    words = ["--url", server.sockets(), "--query", query, "--mode", mode, "--k", sockets, "--secs", str(seconds), "--pg", database]
    words += ["--token", server.token] if server.token else []
    return run("wslive", words + trees(server))


def idle(server, workload):
    """What sockets that are told nothing hold: `idle-5000`."""
    words = ["--url", server.sockets(), "--k", workload.split("-")[1], "--again", "10000", *trees(server)[:2]]
    return run("wsidle", words + (["--token", server.token] if server.token else []))


def run(program, words):
    done = subprocess.run([f"{BIN}/{program}", *words], capture_output=True, text=True)
    if done.returncode or not done.stdout:
        return {"failed": done.stderr[-500:]}
    result = json.loads(done.stdout)
    if done.stderr:
        result["said"] = done.stderr[:500]
    return result
