#!/usr/bin/env python3
"""Answers questions about what needs what in a package index in plain Python, for the tests to compare the example's answers with.

    ./make_answers.py ../../Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl > answers.json
    ./make_answers.py packages-full.jsonl.xz > answers-full.json

A set of names is given as its size and the FNV-1a hash of the names in the order of their UTF-8 bytes, each followed by a line feed.
"""
import json
import lzma
import sys
from collections import Counter, defaultdict

PACKAGES = ["bash", "git", "sqlite3", "libc6", "perl", "python3", "libgcc-s1", "zlib1g", "mawk", "dpkg", "vim", "emacs-gtk",
            "libreoffice", "libreoffice-calc", "kmail", "qtcreator", "exim4-daemon-light", "openjdk-17-jre-headless", "libqt5core5a",
            "r-base-core", "dbus-user-session", "firefox-esr", "postfix", "plasma-workspace", "tzdata"]
VIRTUAL = ["awk", "mail-transport-agent", "x-terminal-emulator", "libgcc1", "r-api-4.0", "qtbase-abi-5-15-8", "default-dbus-session-bus",
           "java-runtime-headless", "mint-mate-default-settings"]
SECTIONS = ["games", "fonts", "oldlibs", "java"]


def rows(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def in_order(names):
    return sorted(names, key=str.encode)


def fnv(names):
    value = 0xCBF29CE484222325
    for byte in "".join(name + "\n" for name in in_order(names)).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def names(found):
    return {"count": len(found), "hash": fnv(found)}


class Index:
    def __init__(self, packages):
        self.packages = {row["name"]: row for row in packages}
        self.dependents, self.providers = defaultdict(set), defaultdict(set)
        for row in packages:
            for name in row["depends"]:
                self.dependents[name].add(row["name"])
            for name in row["provides"]:
                self.providers[name].add(row["name"])

    def needs(self, name):
        """What an installation of a package has to have: where a name is of no package, the first that provides it."""
        found, virtual, missing, waiting = set(), {}, set(), [name]
        while waiting:
            name = waiting.pop()
            if name not in self.packages:
                if not self.providers[name]:
                    missing.add(name)
                    continue
                provider = in_order(self.providers[name])[0]
                virtual[name] = provider
                name = provider
            if name not in found:
                found.add(name)
                waiting += self.packages[name]["depends"]
        return found, virtual, missing

    def breaks(self, name):
        """What can no longer work without a package, directly or because something else cannot."""
        gone, waiting = {name}, [name]
        while waiting:
            package = waiting.pop()
            lost = [package] + [virtual for virtual in self.packages[package]["provides"]
                                if virtual not in self.packages and self.providers[virtual] <= gone]
            for lost_name in lost:
                for dependent in self.dependents[lost_name] - gone:
                    gone.add(dependent)
                    waiting.append(dependent)
        return gone - {name}


def main():
    packages = rows(sys.argv[1])
    index = Index(packages)
    answers = []
    for name in PACKAGES:
        if name not in index.packages:
            continue
        found, virtual, missing = index.needs(name)
        answers.append({
            "name": name, "needs": names(found), "virtual": virtual, "missing": in_order(missing), "dependents": names(index.dependents[name]),
            "recommenders": names({row["name"] for row in packages if name in row["recommends"]}), "breaks": names(index.breaks(name))})
    needed = Counter(name for row in packages for name in row["depends"])
    most = sorted(needed.items(), key=lambda item: (-item[1], item[0].encode()))[:25]
    fields = ["depends", "recommends", "provides"]
    pointed_at = {name for row in packages for field in fields for name in row[field]}
    sections = []
    for section in SECTIONS:
        inside = {row["name"] for row in packages if row["section"] == section}
        sections.append({
            "section": section, "dependents": names({row["name"] for row in packages if inside.intersection(row["depends"])}),
            "onlyDependents": names({row["name"] for row in packages if row["depends"] and inside.issuperset(row["depends"])})})
    json.dump({
        "packages": len(packages), "answers": answers, "mostNeeded": [{"name": name, "count": count} for name, count in most],
        "virtual": [{"name": name, "providers": in_order(index.providers[name]), "dependents": names(index.dependents[name])} for name in VIRTUAL],
        "sections": sections, "unreferenced": names(set(index.packages) - pointed_at),
        "dangling": {field: sum(name not in index.packages for row in packages for name in set(row[field])) for field in fields},
    }, sys.stdout, indent=1, ensure_ascii=False)
    print()


main()
