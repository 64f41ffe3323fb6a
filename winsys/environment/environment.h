// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The environment variables. Every variable that Terrazzo reads is a row of environment.cpp; the libraries
// call getenv nowhere else (tests/house checks that).
//
// A row says which values are allowed. A value that is not allowed is reported once on stderr, with the
// variable's name and the allowed values; then it is treated as unset. Some errors only show when the value
// is used: a folder cannot be created, or no server answers. Then that code calls report_value().
//
// A program may run with more rights than the user that started it (set-user-ID, set-group-ID, file
// capabilities: AT_SECURE, see getauxval(3)). Its environment is not trusted: every variable that chooses a
// file, a socket, a device or what is printed is treated as unset. All rooms may include this header.
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
    ShimInterface,
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

/// Whether a program with elevated rights reads the variable.
enum class Elevated : uint8_t { Ignored, Read };

struct VariableRow {
    Variable variable;
    const char* name;
    Elevated elevated;
    const char* why;  // explains `elevated`: what the variable could do with the elevated rights
    const char* meaning;
    const char* allowed;                    // the allowed values in words, printed after "allowed is "
    bool (*is_allowed)(const char* value);  // null: checked only where the value is used (report_value)
};
/// All rows, in the order of Variable.
[[nodiscard]] std::span<const VariableRow> variable_rows();

/// True if this process has more rights than the user that started it. Thread: any.
[[nodiscard]] bool has_elevated_rights();
/// The error of a platform that does not connect because only the environment names the server.
inline constexpr char kNoServerOfEnvironment[] =
    "this program runs with elevated rights: it must connect by itself and pass its native display";

/// The value, or null: the variable is unset or empty, its value is not allowed, or elevated rights forbid to
/// read it. Valid until the program changes its environment. Thread: any that may call getenv.
[[nodiscard]] const char* environment(Variable variable);
/// The value as it is set, allowed or not. Null: it is unset, or `elevated` and the row forbids to read it.
[[nodiscard]] const char* environment_text(Variable variable, bool elevated);
/// Whether a row allows a value. An empty value counts as unset.
[[nodiscard]] bool is_allowed(Variable variable, const char* value);

/// Receives reports. If `write` is null, they go to stderr, as lines that begin with "terrazzo: ".
struct ReportSink {
    void (*write)(void* user, const char* message) = nullptr;
    void* user = nullptr;
};
/// Reports each variable whose value its row does not allow, once per variable and process. The functions
/// that programs call first call this: eglGetDisplay, gbm_create_device, terrazzo_create_instance. Thread:
/// any. Allocates nothing.
void check_environment(const ReportSink& sink = {});
/// Reports, once per variable and process, that a variable's value cannot be used, and `why`. Thread: any.
/// Allocates nothing.
void report_value(Variable variable, const char* why, const char* detail = nullptr);

}  // namespace terrazzo::winsys
