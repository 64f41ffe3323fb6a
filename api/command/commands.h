// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The subcommands. Each returns the command's exit code; if that is not 0, stderr has one line with the
// reason.
#pragma once

#include <string>
#include <vector>

namespace terrazzo::command {

struct RunOptions {
    std::string device;                // empty: that of the environment
    bool glvnd = false;                // with the system's libglvnd instead of the library path
    std::vector<std::string> command;  // program and arguments
};
/// Replaces this process by the program. Only returns if that fails: 127 no such program, 126 not executable,
/// 1 else.
[[nodiscard]] int run(const RunOptions& options);

struct CountersOptions {
    RunOptions run;
    std::string html;  // a page to write; "-" is stdout
};
/// Runs the program, and shows its device's counters. Returns the program's exit code; 1: nothing was
/// counted, or the page cannot be written.
[[nodiscard]] int counters(const CountersOptions& options);

struct InfoOptions {
    bool verbose = false;  // also lists, such as the extensions
    bool json = false;
};
/// Prints what a program would get. 1: it would get nothing.
[[nodiscard]] int info(const InfoOptions& options);

/// Prints the names for TERRAZZO_DEVICE and --device, one per line. 1: there is no list.
[[nodiscard]] int list_devices();

struct ExplainOptions {
    bool json = false;
    unsigned timeout_s = 10;  // far more than a probe needs, unless it hangs
};
/// Reports what was found of devices, platforms and libraries, what was rejected, and what to do. 1: a
/// program would get no context that draws.
[[nodiscard]] int explain(const ExplainOptions& options);

struct DecodeOptions {
    std::string file;         // a capture
    bool no_shaders = false;  // do not disassemble
    bool stats = false;       // counts, instead of the text
};
/// Prints what a capture makes a GPU do. 1: the file cannot be read, or is damaged (its beginning is
/// printed).
[[nodiscard]] int decode(const DecodeOptions& options);

struct ReplayOptions {
    std::string file;       // a capture of any vendor
    std::string device;     // empty: the capture's chip
    std::string out;        // a folder for images; empty: none
    bool top_down = false;  // the first row of images is the top row
    bool draws_nothing = false;
};
/// Runs a capture on the virtual GPU, and prints its submissions. 1: one faulted, or the file cannot be read
/// or is damaged.
[[nodiscard]] int replay(const ReplayOptions& options);

struct ShaderDbOptions {
    std::vector<std::string> files;    // shaders to compile, folders of them, results (.json)
    std::vector<std::string> devices;  // empty: the first one
    std::string compare;               // earlier results; empty: none
    std::string json, html;            // files to write; "-" is stdout
    std::string shard;                 // "I/N"; empty: all
    bool merge = false;                // only results are passed
    bool desktop = false;              // also try old desktop GLSL
    bool quiet = false;                // no progress, and only totals
    bool no_times = false;             // leaves times out of JSON
    unsigned threads = 0;              // 0: one per CPU
};
/// Compiles shaders for devices that need not exist here, and prints the results. 1: a shader or a file
/// failed; 2: contradictory options.
[[nodiscard]] int measure_shaders(const ShaderDbOptions& options);

}  // namespace terrazzo::command
