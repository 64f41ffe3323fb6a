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

struct InfoOptions {
    bool verbose = false;  // extensions too
    bool json = false;
};
/// Prints what a program would get; 1: a program would get nothing.
[[nodiscard]] int info(const InfoOptions& options);

struct DecodeOptions {
    std::string file;         // a capture
    bool no_shaders = false;  // do not disassemble
};
/// Prints what a capture has a GPU do; 1: the file cannot be read or is damaged (what came before is printed).
[[nodiscard]] int decode(const DecodeOptions& options);

}  // namespace terrazzo::command
