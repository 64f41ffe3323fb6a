// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The environment, in one place: every variable that Terrazzo reads is a row of environment.cpp, and nothing
// else in the libraries calls getenv (tests/house checks that).
//
// A row says which values are allowed. A value that is not allowed is reported once on stderr, with the
// variable's name and what is allowed, and is then as if it were not set. Whether a folder can be created or
// a server answers is known where the value is used: that code calls report_value().
//
// A program that runs with more rights than the user who started it (set-user-ID, set-group-ID, file
// capabilities: AT_SECURE, see getauxval(3)) has an environment from a stranger. For it every variable that
// chooses a file, a socket, a device or what is printed is as if it were not set. All rooms may include this
// header.
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

/// What a variable is to a program with elevated rights.
enum class Elevated : uint8_t { Ignored, Read };

struct VariableRow {
    Variable variable;
    const char* name;
    Elevated elevated;
    const char* why;  // of `elevated`: what the variable could do with foreign rights
    const char* meaning;
    const char* allowed;                    // the values, in words: after "allowed is "
    bool (*is_allowed)(const char* value);  // null: known only where the value is used (report_value)
};
/// In the order of Variable.
[[nodiscard]] std::span<const VariableRow> variable_rows();

/// True where this process has more rights than the user who started it. Thread: any.
[[nodiscard]] bool has_elevated_rights();
/// Why a platform refuses to connect where only the environment says to which server.
inline constexpr char kNoServerOfEnvironment[] =
    "this program runs with elevated rights: it must connect by itself and pass its native display";

/// The value; null where the variable is not set or empty, where its value is not allowed, or where it is
/// ignored because of elevated rights. It lives until the program changes its environment. Thread: any that
/// may call getenv.
[[nodiscard]] const char* environment(Variable variable);
/// The value as it is set, allowed or not; null where it is not set, or ignored in a process of such rights.
[[nodiscard]] const char* environment_text(Variable variable, bool elevated);
/// Whether a row allows a value. An empty one is as if it were not set.
[[nodiscard]] bool is_allowed(Variable variable, const char* value);

/// Where reports go; without `write`: to stderr, as lines that begin with "terrazzo: ".
struct ReportSink {
    void (*write)(void* user, const char* message) = nullptr;
    void* user = nullptr;
};
/// Reports each variable whose value its row does not allow, once a variable and process. What a program
/// calls first calls this: eglGetDisplay, gbm_create_device, terrazzo_create_instance. Thread: any.
/// Allocates nothing.
void check_environment(const ReportSink& sink = {});
/// Reports that a variable's value cannot be used, and `why`. Does so once a variable and process.
/// Thread: any. Allocates nothing.
void report_value(Variable variable, const char* why, const char* detail = nullptr);

}  // namespace terrazzo::winsys
