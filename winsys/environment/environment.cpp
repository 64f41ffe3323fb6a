// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/environment.h"

#include <sys/auxv.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "winsys/environment/file_size.h"
#include "winsys/environment/values.h"

namespace terrazzo::winsys {
namespace {

template <class T, bool (*parse)(std::string_view, T*)>
bool parses(const char* value) {
    T ignored;
    return parse(value, &ignored);
}
constexpr auto is_threads = parses<unsigned, parse_threads>;
constexpr auto is_time_limit = parses<uint64_t, parse_time_limit>;
constexpr auto is_gles_version = parses<int, parse_gles_version>;
constexpr auto is_platform = parses<PlatformName, parse_platform>;
constexpr auto is_shim_interface = parses<bool, parse_shim_interface>;
constexpr auto is_descriptor = parses<int, parse_descriptor>;
/// The XDG base directory specification: "If an implementation encounters a relative path in any of these
/// variables it should consider the path invalid and ignore it".
bool is_absolute(const char* value) {
    return value[0] == '/';
}
bool is_anything(const char*) {
    return true;
}
constexpr auto kKnownAtUse = nullptr;

constexpr VariableRow kRows[] = {
    {Variable::Counters, "TERRAZZO_COUNTERS", Elevated::Ignored, "writes a file",
     "A file to which each context appends what its device counts, a line a frame or flush. `terrazzo "
     "counters` sets it.",
     "a file that can be written to", kKnownAtUse},
    {Variable::Debug, "TERRAZZO_DEBUG", Elevated::Ignored, "writes traces and frames to any file",
     "What to print, and which features to do without: words, separated by commas.",
     "the words that TERRAZZO_DEBUG=help prints", kKnownAtUse},
    {Variable::Device, "TERRAZZO_DEVICE", Elevated::Ignored, "opens any file",
     "The device to draw on, as of `run --device`.",
     "soft, sim:CHIP, noop:CHIP or a node in /dev/dri, as `terrazzo info -v` lists them", kKnownAtUse},
    {Variable::DrawLimit, "TERRAZZO_DRAW_LIMIT", Elevated::Ignored, "lets draws go on for ever",
     "How long one draw, or one pass of draws, of a robust context may take. The default is 10.",
     "seconds, as 2.5, or off", is_time_limit},
    {Variable::GlesVersion, "TERRAZZO_GLES_VERSION", Elevated::Ignored, "opens commands that are not whole",
     "The version of OpenGL ES that contexts have, instead of the device's.", "2.0, 3.0, 3.1 or 3.2",
     is_gles_version},
    {Variable::ShaderCache, "TERRAZZO_SHADER_CACHE", Elevated::Ignored, "writes and executes files",
     "The folder of compiled shaders. The default is ~/.cache/terrazzo.",
     "a folder of this user to which only this user may write, or off", kKnownAtUse},
    {Variable::ShaderDump, "TERRAZZO_SHADER_DUMP", Elevated::Ignored, "writes to any folder",
     "A folder to which each program that links is written as a .shader_test file, for `terrazzo shader-db`.",
     "a folder that can be written to", kKnownAtUse},
    {Variable::ShimInterface, "TERRAZZO_SHIM_INTERFACE", Elevated::Ignored, "changes the device",
     "Which interface of its kernel driver the shim's device has. The default is current.",
     "current or older", is_shim_interface},
    {Variable::Threads, "TERRAZZO_THREADS", Elevated::Ignored, "starts threads",
     "How many threads the CPU driver and the virtual GPUs have. The default is what the affinity mask and "
     "the cgroup's quota allow.",
     "a number from 1 to 256", is_threads},
    {Variable::CacheHome, "XDG_CACHE_HOME", Elevated::Ignored, "chooses the cache's folder",
     "The shader cache is the folder terrazzo in it, where TERRAZZO_SHADER_CACHE names none.",
     "an absolute path, of a folder that can be written to", is_absolute},
    {Variable::Home, "HOME", Elevated::Ignored, "chooses the cache's folder",
     "The shader cache is the folder .cache/terrazzo in it, where no other variable names one.",
     "an absolute path, of a folder that can be written to", is_absolute},
    {Variable::EglPlatform, "EGL_PLATFORM", Elevated::Ignored, "makes the program connect to a server",
     "The platform of eglGetDisplay(EGL_DEFAULT_DISPLAY). The default is Wayland where a server answers, "
     "else surfaceless.",
     "wayland, x11, gbm, drm, surfaceless or device", is_platform},
    {Variable::RuntimeFolder, "XDG_RUNTIME_DIR", Elevated::Ignored, "connects to any socket",
     "The folder of the Wayland server's socket.", "an absolute path", is_absolute},
    {Variable::WaylandDisplay, "WAYLAND_DISPLAY", Elevated::Ignored, "connects to any socket",
     "The Wayland server's socket. The default is wayland-0.", "the socket of a Wayland server that runs",
     kKnownAtUse},
    {Variable::WaylandSocket, "WAYLAND_SOCKET", Elevated::Ignored, "writes to a descriptor of any number",
     "A descriptor that is connected to a Wayland server.", "the number of an open socket", is_descriptor},
    // Read only if the program itself is connected to a server and passes its Display: it connected by the
    // same name.
    {Variable::X11Display, "DISPLAY", Elevated::Read, "the program is connected to that server",
     "The X server.", "an X server that runs", kKnownAtUse},
    {Variable::LibraryPath, "LD_LIBRARY_PATH", Elevated::Ignored, "chooses code; the loader ignores it, too",
     "`terrazzo run` puts the folder of Terrazzo's libraries first in it.", "any list of folders",
     is_anything},
};
static_assert(std::size(kRows) == kVariableCount);
static_assert(kMaxThreads == 256, "the row of TERRAZZO_THREADS says so");
static_assert([] {
    for (unsigned i = 0; i < kVariableCount; ++i)
        if (unsigned(kRows[i].variable) != i) return false;
    return true;
}());

/// The variables that have been reported, one bit each.
std::atomic<uint32_t> reported = 0;
static_assert(kVariableCount <= 32);

bool is_first_report(Variable variable) {
    const uint32_t bit = 1u << unsigned(variable);
    return !(reported.fetch_or(bit, std::memory_order_relaxed) & bit);
}

constexpr size_t kMaxMessage_B = 512;
constexpr int kMaxValue = 200;  // at most this many characters of a value are repeated in a message

void write_report(const ReportSink& sink, const char* message) {
    if (sink.write) return sink.write(sink.user, message);
    const FileSizeSignalBlock no_signal;  // stderr may be a file
    std::fprintf(stderr, "terrazzo: %s\n", message);
}

}  // namespace

std::span<const VariableRow> variable_rows() {
    return kRows;
}

bool has_elevated_rights() {
    return getauxval(AT_SECURE) != 0;
}

const char* environment_text(Variable variable, bool elevated) {
    const VariableRow& row = kRows[unsigned(variable)];
    return elevated && row.elevated == Elevated::Ignored ? nullptr : std::getenv(row.name);
}

bool is_allowed(Variable variable, const char* value) {
    const VariableRow& row = kRows[unsigned(variable)];
    return !*value || !row.is_allowed || row.is_allowed(value);
}

const char* environment(Variable variable) {
    const char* const value = environment_text(variable, has_elevated_rights());
    return value && *value && is_allowed(variable, value) ? value : nullptr;
}

void check_environment(const ReportSink& sink) {
    const bool elevated = has_elevated_rights();
    for (const VariableRow& row : kRows) {
        const char* const value = environment_text(row.variable, elevated);
        if (!value || is_allowed(row.variable, value) || !is_first_report(row.variable)) continue;
        char message[kMaxMessage_B];
        std::snprintf(message, sizeof message, "%s=%.*s is ignored: allowed is %s", row.name, kMaxValue,
                      value, row.allowed);
        write_report(sink, message);
    }
}

void report_value(Variable variable, const char* why, const char* detail) {
    const VariableRow& row = kRows[unsigned(variable)];
    const char* const value = environment_text(variable, has_elevated_rights());
    if (!value || !is_first_report(variable)) return;
    char message[kMaxMessage_B];
    std::snprintf(message, sizeof message, "%s=%.*s: %s%s%s; allowed is %s", row.name, kMaxValue, value, why,
                  detail ? ": " : "", detail ? detail : "", row.allowed);
    write_report({}, message);
}

}  // namespace terrazzo::winsys
