"""`scripts/sbom` lists what an installation consists of."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support import ROOT

SCRIPT = ROOT / "scripts" / "sbom"


def test_the_list_is_of_this_environment_and_the_same_each_time() -> None:
    made = [subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, check=True).stdout for _ in range(2)]
    assert made[0] == made[1]
    told = json.loads(made[0])
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.5")
    assert told["metadata"]["component"]["name"] == "tidings"
    names = {one["name"] for one in told["components"]}
    assert {"numpy", "typer", "brotli"} <= names
    references = {told["metadata"]["component"]["bom-ref"], *(one["bom-ref"] for one in told["components"])}
    assert {one["ref"] for one in told["dependencies"]} == references
    assert all(set(one["dependsOn"]) <= references for one in told["dependencies"])
