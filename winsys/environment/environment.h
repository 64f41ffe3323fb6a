// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The environment, in one place: every variable that Terrazzo reads is a row of environment.cpp, and nothing
// else in the libraries calls getenv (tests/house checks that). A program that runs with more rights than who
// started it (set-user-ID, set-group-ID, file capabilities: AT_SECURE, see getauxval(3)) has an environment
// from a stranger. For it every variable that chooses a file, a socket, a device or what is printed is as if
// unset. All rooms may include this header.
#pragma once

#include <cstdint>
#include <span>

namespace terrazzo::winsys {

enum class Variable : uint8_t {
    Counters,
    Debug,
    Device,
    DrawLimit,
    GlesVersion,
    ShaderCache,
    ShaderDump,
    Threads,
    CacheHome,
    Home,
    EglPlatform,
    RuntimeFolder,
    WaylandDisplay,
    WaylandSocket,
    X11Display,
    LibraryPath,
};
inline constexpr unsigned kVariableCount = unsigned(Variable::LibraryPath) + 1;

/// What a variable is to a program with raised rights.
enum class Elevated : uint8_t { Ignored, Read };

struct VariableRow {
    Variable variable;
    const char* name;
    Elevated elevated;
    const char* why;  // of `elevated`: what the variable could do with foreign rights
};
/// In the order of Variable.
[[nodiscard]] std::span<const VariableRow> variable_rows();

/// True where this process has more rights than who started it. Thread: any.
[[nodiscard]] bool has_elevated_rights();
/// Why a platform refuses to connect where nobody but the environment says to which server.
inline constexpr char kNoServerOfEnvironment[] =
    "this program runs with elevated rights: it must connect by itself and pass its native display";
/// The value; null where it is not set, or where it is ignored because of elevated rights. It lives until the
/// program changes its environment. Thread: any that may call getenv.
[[nodiscard]] const char* environment(Variable variable);
/// The same for a process whose rights are told.
[[nodiscard]] const char* environment(Variable variable, bool elevated);

}  // namespace terrazzo::winsys
