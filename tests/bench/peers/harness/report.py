"""The tables, in Markdown."""
import os
import statistics
import subprocess
import time

from .cluster import ROOT

TITLES = {
    "q1": "Q1: one connector with its worker", "q2": "Q2: board of 100 pipelines", "q3": "Q3: env, teams, pipelines, subscriptions, targets, workers",
    "q4": "Q4: a searched page of 50 with totalCount", "q5": "Q5: a sync run and its 20 tables", "q6": "Q6: 30 days of one topic",
    "m1": "M1: rename a pipeline", "m2": "M2: heartbeat"}


def table(head, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def middle(results, *path):
    """The median of a value of several results."""
    values = []
    for result in results:
        for name in path:
            result = result[name] if result is not None else None
        values.append(result)
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else float("nan")


def requests(results):
    """`results[server][connections]` is a list of rounds."""
    head = ["server", "server CPU ms", "PostgreSQL CPU ms", "both", "req/s", "p50 ms, c=1", "p99 ms, c=1", "p99 ms, c=16", "RSS MB", "errors", "others"]
    rows = []
    for name, by in results.items():
        if isinstance(by, str):
            rows.append([name, f"wrong: {by}"] + [""] * (len(head) - 2))
            continue
        one, many = by[1], by[16]
        own, database = middle(many, "server_cpu_ms"), middle(many, "pg_cpu_ms")
        rows.append([name, f"{own:.3f}", f"{database:.3f}", f"{own + database:.3f}", f"{middle(many, 'rps'):.0f}", f"{middle(one, 'ms', 'p50'):.2f}",
                     f"{middle(one, 'ms', 'p99'):.2f}", f"{middle(many, 'ms', 'p99'):.1f}", f"{middle(many, 'server_rss_mb'):.0f}",
                     str(sum(r["errors"] for r in one + many)), f"{middle(one + many, 'others_cores'):.2f}"])
    return table(head, rows)


def failed(name, why, head):
    """The row of a server of which nothing was measured."""
    return [name, "failed: " + why[-100:].replace("\n", " ")] + [""] * (len(head) - 2)


def sockets(results):
    """`results[server]` is one result."""
    head = ["server", "arrived / expected", "p50 ms", "p99 ms", "server CPU us a message", "server cores", "PostgreSQL cores", "UPDATE p50 ms", "present state", "RSS MB", "others"]
    rows = []
    for name, r in results.items():
        if "failed" in r or not r["seen"]:
            rows.append(failed(name, r.get("failed", "nothing arrived"), head))
            continue
        present = f"{r['present']} in {r['present_s']:.1f} s" if r["present"] else "none"
        rows.append([name, f"{r['seen']} / {r['expected']}", f"{r['ms']['p50']:.2f}", f"{r['ms']['p99']:.2f}", f"{r['server_cpu_ms'] * 1e3:.1f}", f"{r['server_cores']:.2f}",
                     f"{r['pg_cores']:.2f}", f"{r['update_ms']['p50']:.2f}", present, f"{r['server_rss_mb']:.0f}", f"{r['others_cores']:.2f}"])
    return table(head, rows)


def equal(results):
    """`results[server]` is a result with few sockets and one with many."""
    head = ["server", "us a change, 100 sockets", "us a change, many", "sockets", "times", "others"]
    rows = []
    for name, r in results.items():
        if "failed" in r:
            rows.append(failed(name, r["failed"], head))
            continue
        few, many = (r[size]["server_cpu_ms"] * 1e3 for size in ("few", "many"))
        # The system tells CPU time by the hundredth of a second, which a short run may not reach.
        times = f"{many / few:.2f}" if few else "?"
        rows.append([name, f"{few:.0f}", f"{many:.0f}", str(r["many"]["open"]), times, f"{r['many']['others_cores']:.2f}"])
    return table(head, rows)


def idle(results):
    """`results[server]` is one result."""
    head = ["server", "RSS before MB", "sockets", "KiB each", "RSS after they closed MB", "after 5,000 and 10,000 more that came and went MB"]
    rows = []
    for name, r in results.items():
        if "failed" in r:
            rows.append(failed(name, r["failed"], head))
            continue
        rows.append([name, f"{r['before_mb']:.0f}", str(r["k"]), f"{r['kib_each']:.1f}", f"{r['closed_mb']:.0f}", ", ".join(f"{mb:.0f}" for mb in r["again_mb"])])
    return table(head, rows)


def conditions(servers, version, plan):
    commit = subprocess.run(["git", "log", "-1", "--format=%h"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown processor")
    lines = [f"Measured on {time.strftime('%d %B %Y, %H:%M', time.gmtime())} UTC at commit {commit or 'unknown'}, by `make bench-peers`.\n",
             f"{os.cpu_count()} cores ({model}), PostgreSQL {version} in the same machine with synchronous_commit off, load average at the end {os.getloadavg()[0]:.1f}.",
             f"Medians of {plan['rounds']} rounds of {plan['seconds']:g} s after {plan['warm']:g} s of warm-up, servers by turns, all of them up. CPU, req/s and RSS at 16 connections.",
             "`others` is what the rest of the machine used meanwhile, in cores: beyond 0.3 compare CPU, not req/s or latencies.\n"]
    lines += [f"* **{server.name}**: {server.about['title']}" for server in servers]
    return "\n".join(lines) + "\n"
