// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo run`. With --glvnd, Terrazzo becomes the vendor of the system's libglvnd, for programs that load
// GL from libGL.so.1 or libOpenGL.so.0, and the backend of the system's libgbm. Otherwise our library folder
// becomes the first one in LD_LIBRARY_PATH. All methods of finding libEGL.so.1, libGLESv2.so.2 and
// libgbm.so.1 obey it (linking, dlopen, toolkits' loaders), unless the program has a DT_RPATH or is set-uid.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "api/command/commands.h"
#include "api/command/egl_loader.h"
#include "api/command/place.h"
#include "api/command/quiet.h"
#include "api/command/vendor_file.h"
#include "api/command/watch.h"
#include "winsys/environment/environment.h"

namespace terrazzo::command {
namespace {

/// Variables that would select other drivers if the program loads a libEGL of glvnd anyway.
constexpr const char* kElsewhere[] = {"__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"};

bool device_opens(std::string* why) {
    const QuietEnvironment quiet;  // the program itself will report them
    Egl egl;
    if (!egl.load(why)) return false;
    const EGLDisplay display =
        egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!egl.initialize(display, why)) return false;
    egl.Terminate(display);
    return true;
}

/// EGL's reason names the variable, but the user passed the option.
std::string by_option(const std::string& device, const std::string& why) {
    const std::string option = "--device " + device, variable = "TERRAZZO_DEVICE=" + device;
    return why.starts_with(variable) ? option + why.substr(variable.size()) : option + ": " + why;
}

/// Makes the loader find the system's libEGL instead of ours.
void remove_from_library_path(const std::string& folder) {
    const char* old = winsys::environment(winsys::Variable::LibraryPath);
    if (!old) return;
    std::string kept;
    for (std::string_view rest = old; !rest.empty();) {
        const size_t end = std::min(rest.find(':'), rest.size());
        if (rest.substr(0, end) != folder) kept.append(kept.empty() ? "" : ":").append(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    kept.empty() ? unsetenv("LD_LIBRARY_PATH") : setenv("LD_LIBRARY_PATH", kept.c_str(), 1);
}

int fail(int code, const std::string& what) {
    std::fprintf(stderr, "terrazzo run: %s\n", what.c_str());
    return code;
}

}  // namespace

int run(const RunOptions& options) {
    std::string why;
    Places places;
    if (!find_places(&places, &why)) return fail(1, why);
    const std::string& folder = places.drop_in;
    if (!options.device.empty()) {
        setenv("TERRAZZO_DEVICE", options.device.c_str(), 1);
        if (!device_opens(&why)) return fail(1, by_option(options.device, why));
    }
    for (const char* name : kElsewhere)
        unsetenv(name);
    if (options.glvnd) {
        if (!check_own_vendor(places, &why)) return fail(1, "--glvnd: " + why);
        setenv(kElsewhere[0], places.vendor.c_str(), 1);
        if (access((places.gbm + "/terrazzo_gbm.so").c_str(), R_OK) == 0) {
            setenv("GBM_BACKEND", "terrazzo", 1);
            setenv("GBM_BACKENDS_PATH", places.gbm.c_str(), 1);
        }
        remove_from_library_path(folder);
    } else {
        const char* const old = winsys::environment(winsys::Variable::LibraryPath);
        setenv("LD_LIBRARY_PATH", old ? (folder + ":" + old).c_str() : folder.c_str(), 1);
    }
    std::vector<char*> arguments;
    for (const std::string& a : options.command)
        arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    watch_for_other_gl(options.command[0], folder, options.glvnd);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    const std::string& name = options.command[0];
    if (error == ENOENT && name.find('/') == std::string::npos)
        return fail(127, name + ": no such command on the PATH");
    return fail(error == ENOENT ? 127 : 126, name + ": " + std::generic_category().message(error));
}

}  // namespace terrazzo::command
