// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/process/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

#include <cstring>

namespace terrazzo::winsys {

std::string file_beside(const void* code, const char* file) {
    Dl_info here;
    void* map = nullptr;
    char folder[PATH_MAX] = "";
    if (!dladdr1(const_cast<void*>(code), &here, &map, RTLD_DL_LINKMAP) || !map) return {};
    if (static_cast<const link_map*>(map)->l_name[0] == '\0') {
        // The program itself: glibc knows no folder of it, and dlinfo() would copy from a null pointer.
        const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
        char* const slash = length > 0 ? static_cast<char*>(memrchr(folder, '/', size_t(length))) : nullptr;
        if (!slash) return {};
        *slash = '\0';
    } else if (dlinfo(map, RTLD_DI_ORIGIN, folder) != 0 || folder[0] != '/') {
        // The loader's path of the folder stays valid if the process changes its directory.
        return {};
    }
    const std::string same = std::string(folder) + '/', own = same + "terrazzo/" + file;
    return access(own.c_str(), F_OK) == 0 ? own : same + file;
}

void* open_library(const std::string& path, const char* function, std::string* why) {
    if (path.empty()) {
        *why = "the loader does not say in which folder this library is";
        return nullptr;
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char* const reason = dlerror();
        *why = reason ? reason : path + " cannot be loaded";
        return nullptr;
    }
    void* const found = dlsym(library, function);
    if (!found) *why = path + " belongs to another build";
    return found;
}

}  // namespace terrazzo::winsys
