#!/usr/bin/env python3
"""Answers queries over a package index in plain Python, for the tests to compare a store's answers with.

    ./make_answers.py Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl > answers.json
    ./make_answers.py packages-full.jsonl.xz > answers-full.json

An answer is the number of packages and the FNV-1a hash of their names, in order, each followed by a line feed.
"""
import json
import lzma
import sys
from collections import defaultdict


def rows(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return sorted((json.loads(line) for line in file), key=lambda row: row["name"].encode())


def fnv(names):
    value = 0xCBF29CE484222325
    for byte in "".join(name + "\n" for name in names).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def order(*keys):
    """A sort function: keys are (field, descending); nil is least; ties keep the order of names."""
    def apply(found):
        for field, descending in reversed(keys):
            text = lambda value: value.encode() if isinstance(value, str) else value
            with_value = [row for row in found if row[field] is not None]
            without = [row for row in found if row[field] is None]
            # A stable sort that keeps the order of equal values when it is reversed, too.
            with_value.sort(key=lambda row: text(row[field]), reverse=descending)
            found = with_value + without if descending else without + with_value
        return found
    return apply


def plain(found):
    return found


def has(row, field, test):
    return row[field] is not None and test(row[field])


QUERIES = [
    ("section = 'games'", lambda r: r["section"] == "games", plain, None),
    ("section != 'games'", lambda r: r["section"] != "games", plain, None),
    ("section is nil", lambda r: r["section"] is None, plain, None),
    ("installedSize is nil", lambda r: r["installedSize"] is None, plain, None),
    ("priority in ('required', 'important')", lambda r: r["priority"] in ("required", "important"), plain, None),
    ("installedSize > 100000", lambda r: has(r, "installedSize", lambda v: v > 100000), plain, None),
    ("installedSize between 1000 and 2000 order by installedSize", lambda r: has(r, "installedSize", lambda v: 1000 <= v <= 2000),
     order(("installedSize", False)), None),
    ("order by installedSize desc limit 50", lambda r: True, order(("installedSize", True)), (0, 50)),
    ("order by installedSize limit 100 offset 20", lambda r: True, order(("installedSize", False)), (20, 100)),
    ("section = 'libs' order by installedSize desc, name limit 40", lambda r: r["section"] == "libs", order(("installedSize", True)), (0, 40)),
    ("order by section, installedSize desc limit 500", lambda r: True, order(("section", False), ("installedSize", True)), (0, 500)),
    ("name begins with 'lib'", lambda r: r["name"].startswith("lib"), plain, None),
    ("name ends with '-dev'", lambda r: r["name"].endswith("-dev"), plain, None),
    ("name contains 'python'", lambda r: "python" in r["name"], plain, None),
    ("name >= 'm' and name < 'n'", lambda r: "m" <= r["name"] < "n", plain, None),
    ("name = 'bash'", lambda r: r["name"] == "bash", plain, None),
    ("name in ('zsh', 'bash', 'no-such-package', 'fish')", lambda r: r["name"] in ("zsh", "bash", "fish"), plain, None),
    ("description contains 'GNU'", lambda r: "GNU" in r["description"], plain, None),
    ("description contains 'gnu' ignoring case", lambda r: "gnu" in r["description"].casefold(), plain, None),
    ("description begins with 'THE ' ignoring case", lambda r: r["description"].casefold().startswith("the "), plain, None),
    ("description contains '%' or description contains '_' or description contains '['",
     lambda r: any(c in r["description"] for c in "%_["), plain, None),
    ("any depends = 'libc6'", lambda r: "libc6" in r["depends"], plain, None),
    ("any depends = 'libc6' and not any depends = 'libgcc-s1'", lambda r: "libc6" in r["depends"] and "libgcc-s1" not in r["depends"], plain, None),
    ("none tags = 'role::program' and section = 'utils'", lambda r: "role::program" not in r["tags"] and r["section"] == "utils", plain, None),
    ("all depends (element begins with 'lib') and architecture = 'amd64'",
     lambda r: all(d.startswith("lib") for d in r["depends"]) and r["architecture"] == "amd64", plain, None),
    ("any tags begins with 'interface::' and any depends begins with 'libgtk'",
     lambda r: any(t.startswith("interface::") for t in r["tags"]) and any(d.startswith("libgtk") for d in r["depends"]), plain, None),
    ("section = 'games' or section = 'sound' and installedSize < 500",
     lambda r: r["section"] == "games" or (r["section"] == "sound" and has(r, "installedSize", lambda v: v < 500)), plain, None),
    ("not (architecture = 'all' or installedSize < 1000)",
     lambda r: not (r["architecture"] == "all" or has(r, "installedSize", lambda v: v < 1000)), plain, None),
    ("source = name", lambda r: r["source"] == r["name"], plain, None),
    ("source != name and section = 'net' order by source desc", lambda r: r["source"] != r["name"] and r["section"] == "net",
     order(("source", True)), None),
    ("downloadSize > installedSize", lambda r: has(r, "installedSize", lambda v: r["downloadSize"] is not None and r["downloadSize"] > v), plain, None),
    ("name matches '^lib.*[0-9]$'", lambda r: r["name"].startswith("lib") and r["name"][-1] in "0123456789" and len(r["name"]) > 3, plain, None),
]


def main():
    packages = rows(sys.argv[1])
    answers = []
    for text, test, sort, page in QUERIES:
        found = sort([row for row in packages if test(row)])
        if page:
            found = found[page[0]:page[0] + page[1]]
        answers.append({"criteria": text, "count": len(found), "names": fnv(row["name"] for row in found)})
    sections = defaultdict(lambda: [0, 0, None])
    for row in packages:
        group = sections[row["section"]]
        group[0] += 1
        group[1] += row["installedSize"] or 0
        if row["downloadSize"] is not None:
            group[2] = max(group[2] or 0, row["downloadSize"])
    groups = [{"section": name, "count": group[0], "installed": group[1], "largest": group[2]}
              for name, group in sorted(sections.items(), key=lambda item: (item[0] is not None, (item[0] or "").encode()))]
    needed = defaultdict(int)
    for row in packages:
        for name in row["depends"]:
            needed[name] += 1
    most = sorted(needed.items(), key=lambda item: (-item[1], item[0].encode()))[:20]
    json.dump({"packages": len(packages), "dependencies": sum(needed.values()), "answers": answers, "sections": groups,
               "mostNeeded": [{"name": name, "count": count} for name, count in most]}, sys.stdout, indent=1, ensure_ascii=False)
    print()


main()
