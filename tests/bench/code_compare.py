#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Compares our code for a GPU with Mesa's, shader by shader: instructions, spills, on Adreno also registers.
#   code_compare.py --device mali-g610 --terrazzo TERRAZZO --link LINK_PROGRAMS --mesa FOLDER CORPUS...
# A corpus is a folder of .shader_test files, which TERRAZZO_SHADER_DUMP writes and piglit has. FOLDER is a
# build of Mesa with panfrost or freedreno (winsys/README.md), with -Dtools=drm-shim; without that it runs on
# our shim. Instructions of ir3 include nops; those of its preambles are counted separately, as Mesa does, and
# its registers have four dwords. Only shaders that both compile count.
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

# What differs between Mesa's drivers. `row` makes a row of the numbers after the stage's name.
DRIVERS = {
    "adreno-630": {
        "shim": "src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so",
        "variables": {"FD_GPU_ID": "630", "FD_MESA_DEBUG": "shaderdb,serialc"},
        "stages": {"VERT": "vertex", "FRAG": "fragment", "CL": "compute", "COMP": "compute",
                   "BVERT": "binning"},
        "statistics": re.compile(
            r"(\w+) shader: (\d+) inst, (\d+) nops,.* (\d+) half, (\d+) full, (\d+) constlen,"
            r".* (\d+) stp, (\d+) ldp, .* (\d+) preamble inst"),
        "row": lambda n: {"instructions": n[0], "registers": max(n[3], (n[2] + 1) // 2),
                          "spills": n[5] + n[6], "preamble": n[7]},
    },
    "mali-g610": {
        "shim": "src/panfrost/drm-shim/libpanfrost_noop_drm_shim.so",
        "variables": {"PAN_GPU_ID": "0xa867"},
        "stages": {"MESA_SHADER_" + s.upper(): s for s in
                   ("position", "varying", "vertex", "fragment", "compute")},
        "statistics": re.compile(r"(\w+) shader: (\d+) inst, .* (\d+):(\d+) spills:fills"),
        "row": lambda n: {"instructions": n[0], "spills": n[1] + n[2]},
    },
}


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True, choices=DRIVERS)
    parser.add_argument("--terrazzo", required=True)
    parser.add_argument("--link", required=True)
    parser.add_argument("--mesa", required=True)
    parser.add_argument("--shim", help="default: Mesa's own, else the build's that --terrazzo is of")
    parser.add_argument("--cache", help="a file with Mesa's figures of an earlier run, or where they go")
    parser.add_argument("--worst", type=int, default=15, help="how many shaders to list")
    parser.add_argument("--es-only", action="store_true", help="files that require GLSL ES alone (piglit)")
    parser.add_argument("corpus", nargs="+")
    return parser.parse_args()


def find_files(options):
    files = []
    for folder in options.corpus:
        for root, _, names in os.walk(folder):
            for name in names:
                if not name.endswith(".shader_test"):
                    continue
                path = os.path.join(root, name)
                if options.es_only:
                    with open(path, errors="replace") as f:
                        if "GLSL ES" not in f.read(4096):
                            continue
                files.append(path)
    return sorted(files)


def run_ours(options, files):
    """{(file, part): row}"""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        # Names that this script chooses, so that rows can be found again.
        for n, file in enumerate(files):
            os.symlink(os.path.abspath(file), os.path.join(folder, f"{n:06}.shader_test"))
        result = os.path.join(folder, "result.json")
        subprocess.run([options.terrazzo, "shader-db", "--quiet", "--device", options.device, "--json",
                        result, folder],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(result) as f:
            for row in json.load(f)["shaders"]:
                out[files[int(row["name"].split("/")[-1])], row["part"]] = row
    return out


def mesa_environment(options):
    driver = DRIVERS[options.device]
    own = os.path.join(options.mesa, driver["shim"])
    ours = os.path.join(os.path.dirname(options.terrazzo), "../../winsys/shim/libterrazzo-shim.so")
    shim = options.shim or (own if os.path.exists(own) else ours)
    folders = [os.path.join(options.mesa, "src", f) for f in
               ("egl", "mapi/es2api", "mapi/shared-glapi", "gbm", "gallium/targets/dri")]
    # Without threads: messages are written while the program is linked.
    return dict(os.environ, LD_PRELOAD=os.path.abspath(shim), **driver["variables"],
                TERRAZZO_DEVICE="noop:" + options.device, LD_LIBRARY_PATH=":".join(folders),
                EGL_PLATFORM="surfaceless", MESA_SHADER_CACHE_DISABLE="true",
                GALLIUM_THREAD="0", mesa_glthread="false")


def run_mesa(options, files):
    """{(file, part): row}. Without programs that crash Mesa."""
    out = {}
    driver = DRIVERS[options.device]
    todo = list(files)
    while todo:
        done = subprocess.run([options.link, "-"], input="\n".join(todo), env=mesa_environment(options),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        last = None
        for line in done.stdout.splitlines():
            file, _, text = line.partition("\t")
            last = file
            m = driver["statistics"].search(text)
            if not m or m.group(1) not in driver["stages"]:
                continue
            # The last variant is the one for the draw.
            out[file, driver["stages"][m.group(1)]] = driver["row"]([int(g) for g in m.groups()[1:]])
        if done.returncode == 0:
            break
        at = todo.index(last) + 1 if last in todo else 0
        print(f"Mesa ended with {done.returncode} at {todo[at] if at < len(todo) else '?'}", file=sys.stderr)
        if at == 0 and last is None:
            print(done.stderr[-2000:], file=sys.stderr)
            break
        todo = todo[at + 1:]
    return out


def load_mesa(options, files):
    if options.cache and os.path.exists(options.cache):
        with open(options.cache) as f:
            kept = json.load(f)
        if kept["device"] != options.device:
            sys.exit(f"code_compare: {options.cache} has the figures of {kept['device']}")
        return {tuple(k.split("\t")): v for k, v in kept["rows"].items()}
    rows = run_mesa(options, files)
    if options.cache:
        with open(options.cache, "w") as f:
            json.dump({"device": options.device, "rows": {"\t".join(k): v for k, v in rows.items()}}, f)
    return rows


def main():
    options = parse_arguments()
    files = find_files(options)
    ours, mesa = run_ours(options, files), load_mesa(options, files)
    both = [k for k in ours if k in mesa]
    if not both:
        sys.exit(f"code_compare: nothing in common: {len(ours)} shaders of ours, {len(mesa)} of Mesa's")
    for part in sorted({k[1] for k in both}) + ["all"]:
        keys = [k for k in both if part in (k[1], "all") and (part != "all" or k[1] != "binning")]
        a = sum(ours[k]["instructions"] for k in keys)
        b = sum(mesa[k]["instructions"] for k in keys)
        spilled = sum(1 for k in keys if ours[k]["spills"] and not mesa[k]["spills"])
        print(f"{part}: {len(keys)} shaders, {a} instructions of {b} ({a / max(b, 1):.3f}); "
              f"spilled only by us: {spilled}")
        if all("registers" in mesa[k] for k in keys):
            ra = sum(ours[k]["registers"] // 4 for k in keys)
            rb = sum(mesa[k]["registers"] for k in keys)
            more = sum(1 for k in keys if ours[k]["registers"] // 4 > mesa[k]["registers"])
            print(f"    {ra} registers of {rb} ({ra / max(rb, 1):.3f}), more in {more}; "
                  f"Mesa's preambles {sum(mesa[k]['preamble'] for k in keys)}")
    both.sort(key=lambda k: mesa[k]["instructions"] - ours[k]["instructions"])
    for k in both[:options.worst]:
        print(f"  {ours[k]['instructions']:6} {mesa[k]['instructions']:6} instructions: "
              f"{k[1]} of {os.path.basename(k[0])}")


main()
