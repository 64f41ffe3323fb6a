// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The subcommands. Each returns the command's exit code; what went wrong is then one line on stderr.
#pragma once

#include <string>
#include <vector>

namespace terrazzo::command {

struct RunOptions {
    std::string device;                // empty: as the environment says
    bool glvnd = false;                // through the system's libglvnd instead of the library path
    std::vector<std::string> command;  // program and arguments
};
/// Becomes the program; returns only when that fails: 127 no such program, 126 not executable, 1 else.
[[nodiscard]] int run(const RunOptions& options);

struct CountersOptions {
    RunOptions run;
    std::string html;  // a page to write, "-" being stdout
};
/// Runs the program, and shows what its device counts. The program's exit code; 1: nothing was counted, or the page cannot be written.
[[nodiscard]] int counters(const CountersOptions& options);

struct InfoOptions {
    bool verbose = false;  // extensions too
    bool json = false;
};
/// Prints what a program would get; 1: a program would get nothing.
[[nodiscard]] int info(const InfoOptions& options);

/// Prints the name of each device that TERRAZZO_DEVICE and --device take, a line each; 1: there is no list.
[[nodiscard]] int list_devices();

struct ExplainOptions {
    bool json = false;
    unsigned timeout_s = 10;  // far more than any probe needs: only what hangs comes to it
};
/// Says what was found of devices, platforms and libraries, what was rejected, and what to do; 1: a program would get no context that
/// draws.
[[nodiscard]] int explain(const ExplainOptions& options);

struct DecodeOptions {
    std::string file;         // a capture
    bool no_shaders = false;  // do not disassemble
    bool stats = false;       // counts instead of the text
};
/// Prints what a capture has a GPU do; 1: the file cannot be read or is damaged (what came before is printed).
[[nodiscard]] int decode(const DecodeOptions& options);

struct ReplayOptions {
    std::string file;       // a recording of any vendor's
    std::string device;     // empty: the chip it is of
    std::string out;        // a folder for pictures; empty: none
    bool top_down = false;  // the first row of images is the top one
    bool draws_nothing = false;
};
/// Runs what a recording has on the virtual GPU, and prints its submissions; 1: one faulted, or the file
/// cannot be read or is damaged.
[[nodiscard]] int replay(const ReplayOptions& options);

struct ShaderDbOptions {
    std::vector<std::string> files;    // shaders to compile, folders of them, results (.json)
    std::vector<std::string> devices;  // empty: the first there is
    std::string compare;               // earlier results; empty: none
    std::string json, html;            // files to write, "-" being stdout
    std::string shard;                 // "I/N"; empty: all
    bool merge = false;                // only results are given
    bool desktop = false;              // try old desktop GLSL, too
    bool quiet = false;                // no progress, and sums alone
    bool no_times = false;             // in JSON
    unsigned threads = 0;              // 0: as many as the machine has
};
/// Compiles shaders for devices that need not be there, and prints what became of them. 1: a shader failed, or a
/// file; 2: the options make no sense.
[[nodiscard]] int measure_shaders(const ShaderDbOptions& options);

}  // namespace terrazzo::command
