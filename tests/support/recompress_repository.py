#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recompresses the primary and the filelists of a repository and rewrites its index, as newer createrepo_c writes them.

usage: recompress_repository.py REPOSITORY gz|xz|zst
"""

import gzip
import hashlib
import lzma
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

REPO = "http://linux.duke.edu/metadata/repo"


def compressed(content: bytes, form: str) -> bytes:
    if form == "gz":
        return gzip.compress(content)
    if form == "xz":
        return lzma.compress(content)
    return subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout


def main() -> int:
    root, form = Path(sys.argv[1]), sys.argv[2]
    index = root / "repodata" / "repomd.xml"
    ET.register_namespace("", REPO)
    tree = ET.parse(index)
    for data in list(tree.getroot().findall(f"{{{REPO}}}data")):
        location = data.find(f"{{{REPO}}}location")
        old = root / location.get("href")
        if data.get("type") not in ("primary", "filelists"):
            tree.getroot().remove(data)
            old.unlink()
            continue
        content = compressed(gzip.decompress(old.read_bytes()), form)
        old.unlink()
        digest = hashlib.sha256(content).hexdigest()
        location.set("href", f"repodata/{digest}-{data.get('type')}.xml.{form}")
        (root / location.get("href")).write_bytes(content)
        data.find(f"{{{REPO}}}checksum").set("type", "sha256")
        data.find(f"{{{REPO}}}checksum").text = digest
        data.find(f"{{{REPO}}}size").text = str(len(content))
    tree.write(index, encoding="UTF-8", xml_declaration=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
