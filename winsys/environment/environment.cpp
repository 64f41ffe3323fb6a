// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/environment.h"

#include <sys/auxv.h>

#include <cstdlib>
#include <iterator>

namespace terrazzo::winsys {
namespace {

constexpr VariableRow kRows[] = {
    {Variable::Counters, "TERRAZZO_COUNTERS", Elevated::Ignored, "writes a file"},
    {Variable::Debug, "TERRAZZO_DEBUG", Elevated::Ignored, "writes traces and frames to any file"},
    {Variable::Device, "TERRAZZO_DEVICE", Elevated::Ignored, "opens any file"},
    {Variable::DrawLimit, "TERRAZZO_DRAW_LIMIT", Elevated::Ignored, "lets draws go on for ever"},
    {Variable::GlesVersion, "TERRAZZO_GLES_VERSION", Elevated::Ignored, "opens commands that are not whole"},
    {Variable::ShaderCache, "TERRAZZO_SHADER_CACHE", Elevated::Ignored, "writes and executes files"},
    {Variable::ShaderDump, "TERRAZZO_SHADER_DUMP", Elevated::Ignored, "writes to any folder"},
    {Variable::Threads, "TERRAZZO_THREADS", Elevated::Ignored, "starts threads"},
    {Variable::CacheHome, "XDG_CACHE_HOME", Elevated::Ignored, "chooses the cache's folder"},
    {Variable::Home, "HOME", Elevated::Ignored, "chooses the cache's folder"},
    {Variable::EglPlatform, "EGL_PLATFORM", Elevated::Ignored, "makes the program connect to a server"},
    {Variable::RuntimeFolder, "XDG_RUNTIME_DIR", Elevated::Ignored, "connects to any socket"},
    {Variable::WaylandDisplay, "WAYLAND_DISPLAY", Elevated::Ignored, "connects to any socket"},
    {Variable::WaylandSocket, "WAYLAND_SOCKET", Elevated::Ignored, "writes to a descriptor of any number"},
    // Read only where the program itself is connected to a server and gives us its Display: it went there by
    // the same name.
    {Variable::X11Display, "DISPLAY", Elevated::Read, "the program is connected to that server"},
    {Variable::LibraryPath, "LD_LIBRARY_PATH", Elevated::Ignored, "chooses code; the loader ignores it, too"},
};
static_assert(std::size(kRows) == kVariableCount);
static_assert([] {
    for (unsigned i = 0; i < kVariableCount; ++i)
        if (unsigned(kRows[i].variable) != i) return false;
    return true;
}());

}  // namespace

std::span<const VariableRow> variable_rows() {
    return kRows;
}

bool has_elevated_rights() {
    return getauxval(AT_SECURE) != 0;
}

const char* environment(Variable variable) {
    return environment(variable, has_elevated_rights());
}

const char* environment(Variable variable, bool elevated) {
    const VariableRow& row = kRows[unsigned(variable)];
    return elevated && row.elevated == Elevated::Ignored ? nullptr : std::getenv(row.name);
}

}  // namespace terrazzo::winsys
