// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/place.h"

#include <sys/auxv.h>

#include <filesystem>
#include <system_error>

namespace terrazzo::command {
namespace {

namespace fs = std::filesystem;

/// Paths of the places, relative to the command's folder.
constexpr struct {
    const char *drop_in, *libraries, *modules, *gbm, *vendor;
} kLayouts[] = {
    {"..", "..", "..", "../gbm", "../glvnd/" TERRAZZO_VENDOR_FILE},  // the build tree: api/command/terrazzo
    {TERRAZZO_DROP_IN_DIR, TERRAZZO_LIBDIR, TERRAZZO_OWN_LIBDIR, TERRAZZO_LIBDIR "/gbm",
     TERRAZZO_OWN_LIBDIR "/" TERRAZZO_VENDOR_FILE},
};

}  // namespace

bool find_places(Places* places, std::string* why) {
    std::error_code error;
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    // Without /proc: as in the caller's command, which may be a link, or relative to the caller's current
    // folder.
    if (error) self = fs::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error);
    if (error) {
        *why = "cannot find out where this command is: " + error.message();
        return false;
    }
    auto from_here = [&](const char* path) {
        return (self.parent_path() / path).lexically_normal().string();
    };
    for (const auto& layout : kLayouts) {
        Places p{from_here(layout.drop_in), from_here(layout.libraries), from_here(layout.modules),
                 from_here(layout.gbm), from_here(layout.vendor)};
        for (std::string* folder : {&p.drop_in, &p.libraries, &p.modules, &p.gbm})
            if (folder->size() > 1 && folder->back() == '/') folder->pop_back();
        if (!fs::exists(p.libraries + "/libterrazzo.so.0", error) ||
            !fs::exists(p.drop_in + "/libEGL.so.1", error))
            continue;
        *places = std::move(p);
        return true;
    }
    *why = "libterrazzo.so.0 and libEGL.so.1 are not where " + self.string() + " expects them: in " +
           from_here(TERRAZZO_LIBDIR) + " and " + from_here(TERRAZZO_DROP_IN_DIR);
    return false;
}

}  // namespace terrazzo::command
