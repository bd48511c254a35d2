# SPDX-License-Identifier: GPL-2.0-or-later
"""Running the command and the test tool for benchmarks: the same boots, seen from outside."""

import contextlib
import json
import os
import pathlib
import pwd
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]

VARIANTS = """\
variants:
  - {name: nodebug, kind: nodebug, flavour: base}
  - {name: debug, kind: debug, flavour: base}
"""


def arguments(description: str, most_more: int = 0) -> tuple[str, str, list[str]]:
    """The directory of RPMs, the command, and what more a bench takes, from the command line."""
    given = sys.argv[1:]
    if not 1 <= len(given) <= 2 + most_more:
        print(description, file=sys.stderr)
        sys.exit(2)
    return given[0], given[1] if len(given) > 1 else str(ROOT / "build" / "bootbudget"), given[2:]


class Check:
    """One `bootbudget check`, its report and how long it took."""

    def __init__(self, command: str, rpms: str, policy: str, scratch: str, *options: str) -> None:
        place = tempfile.mkdtemp(dir=scratch)
        os.chmod(place, 0o755)  # the boots run as another account
        file = pathlib.Path(place, "policy.yaml")
        file.write_text(policy, encoding="utf-8")
        argv = [command, "check", rpms, "-p", str(file), "-o", f"{place}/out", "--work-dir", place, *options]
        begin = time.monotonic()
        done = subprocess.run(argv, stdout=subprocess.DEVNULL, check=False)
        self.seconds = time.monotonic() - begin
        if done.returncode not in (0, 1, 4):
            sys.exit(f"{shlex.join(argv)} ended with {done.returncode}")
        self.report = json.loads(pathlib.Path(place, "out", "report.json").read_text(encoding="utf-8"))

    def variant(self, name: str) -> dict:
        return next(v for v in self.report["variants"] if v["name"] == name)

    def values(self, name: str, metric: str, mode: str) -> list[float]:
        """The metric's values over a variant's measured boots of one sort."""
        return [
            s["metrics"][metric]["value"]
            for s in self.variant(name)["samples"]
            if s["mode"] == mode and s["valid"] and not s["warmup"] and metric in s["metrics"]
        ]

    def boot_argv(self, name: str, **changes: str) -> list[str]:
        """One run of the test tool as the check made it (which must have had --keep-work), with changed variables."""
        variables = {**self.variant(name)["variables"], **changes}
        account = pwd.getpwnam(self.report["environment"]["host"]["account"])
        argv = ["env", "-i", *(f"{key}={value}" for key, value in variables.items()), "libguestfs-test-tool"]
        if account.pw_uid != os.getuid():
            argv = ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups", *argv]
        return argv


def spread(values: list[float]) -> float:
    """(max - min) / mean."""
    return (max(values) - min(values)) / statistics.mean(values)


@contextlib.contextmanager
def scratch_directory() -> Iterator[str]:
    place = tempfile.mkdtemp(prefix="bootbudget-bench-", dir="/var/tmp")
    os.chmod(place, 0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def load() -> Iterator[None]:
    """`stress-ng --cpu 2` beside what is measured."""
    with subprocess.Popen(["stress-ng", "--cpu", "2", "--quiet"]) as stress:
        try:
            yield
        finally:
            stress.terminate()
            stress.wait()
