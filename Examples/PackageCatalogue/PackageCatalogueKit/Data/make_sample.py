#!/usr/bin/env python3
"""Makes packages.jsonl, the demo's sample, from a whole package index.

    ./make_sample.py FULL.jsonl[.xz|.gz] > packages.jsonl

The sample is closed under `depends`: with a package come all packages that it
depends on, as far as the index has them. Rows are copied as they are, in the
order of the index, so the same index always gives the same sample.
"""

import gzip
import json
import lzma
import sys

# A seed is left out when its whole closure would bring the sample above this.
LIMIT = 3_600

# Packages with one of these priorities are seeds: what every installation has.
BASE_PRIORITIES = {"required", "important", "standard"}

# And programs that many people know, from many corners of a system.
SEEDS = """
git subversion mercurial vim emacs nano sqlite3 postgresql mariadb-server redis
nginx apache2 haproxy postfix dovecot-imapd bind9 openssh-server rsync curl wget
python3 ruby nodejs perl php golang rustc ghc ocaml default-jdk r-base octave
gcc g++ gfortran clang cmake meson gdb valgrind autoconf make build-essential
firefox-esr chromium thunderbird libreoffice gimp inkscape blender krita vlc mpv
ffmpeg audacity ardour lilypond texlive-latex-extra pandoc graphviz gnuplot
python3-numpy python3-scipy python3-matplotlib python3-django jupyter-notebook
gnome xfce4 kde-plasma-desktop i3 tmux screen zsh fish htop strace tcpdump
wireshark nmap docker.io podman qemu-system-x86 ansible lmdb-utils
tokyocabinet-bin liblmdb-dev libsqlite3-dev libtokyocabinet-dev
calibre digikam kdenlive kmail qtcreator qgis kicad freecad openscad gnuradio
gcc-aarch64-linux-gnu maven gradle rails npm scala elixir erlang sbcl racket
wordpress phpmyadmin roundcube rabbitmq-server cups samba ceph virt-manager
cinnamon mate-desktop-environment lxqt stellarium wesnoth 0ad spyder
python3-sklearn maxima gromacs
""".split()


def rows(path):
    """Yields each line of the index with what it says."""
    opener = {"xz": lzma.open, "gz": gzip.open}.get(path.rsplit(".", 1)[-1], open)
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n"), json.loads(line)


def closure(seed, depends, chosen):
    """The packages that `seed` brings besides those already chosen."""
    found = set()
    waiting = [seed]
    while waiting:
        name = waiting.pop()
        # Names the index lacks are virtual or gone: they stay in `depends`, and lead nowhere.
        if name not in found and name not in chosen and name in depends:
            found.add(name)
            waiting += depends[name]
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines, depends, base, provided = {}, {}, [], set()
    for line, row in rows(sys.argv[1]):
        lines[row["name"]] = line
        depends[row["name"]] = row["depends"]
        provided.update(row["provides"])
        if row["priority"] in BASE_PRIORITIES:
            base.append(row["name"])

    chosen, left_out = set(), []
    for seed in base + SEEDS:
        if seed not in lines:
            sys.exit(f"the index has no package named '{seed}'")
        brought = closure(seed, depends, chosen)
        if len(chosen) + len(brought) > LIMIT:
            left_out.append(f"{seed} (+{len(brought)})")
        else:
            chosen |= brought

    for name, line in lines.items():
        if name in chosen:
            print(line)

    missing = {other for name in chosen for other in depends[name]} - chosen
    print(
        f"{len(chosen)} of {len(lines)} packages; {len(missing)} names in depends are no packages,"
        f" {len(missing & provided)} of them provided by some package of the whole index;"
        f" seeds left out: {', '.join(left_out) or 'none'}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
