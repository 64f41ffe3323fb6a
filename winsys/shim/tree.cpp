// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/tree.h"

#include <cstring>

namespace terrazzo::winsys::shim {
namespace {

#define GPU "/sys/devices/platform/fb000000.gpu"

constexpr const char* kGpuUevent =
    "DRIVER=panthor\nOF_NAME=gpu\nOF_FULLNAME=/gpu@fb000000\nOF_COMPATIBLE_0=rockchip,rk3588-mali\n"
    "OF_COMPATIBLE_1=arm,mali-valhall-csf\nOF_COMPATIBLE_N=2\nMODALIAS=of:NgpuT(null)Crockchip,rk3588-"
    "maliCarm,mali-valhall-csf\n";

constexpr Entry kEntries[] = {
    {"/dev/dri", Kind::Directory, ""},
    {"/dev/dri/card0", Kind::Device, "card", 0},
    {"/dev/dri/renderD128", Kind::Device, "render", 128},
    {"/dev/dri/by-path", Kind::Directory, ""},
    {"/dev/dri/by-path/platform-fb000000.gpu-card", Kind::Link, "../card0"},
    {"/dev/dri/by-path/platform-fb000000.gpu-render", Kind::Link, "../renderD128"},
    {"/sys/dev/char/226:0", Kind::Link, "../../devices/platform/fb000000.gpu/drm/card0"},
    {"/sys/dev/char/226:128", Kind::Link, "../../devices/platform/fb000000.gpu/drm/renderD128"},
    {"/sys/class/drm", Kind::Directory, ""},
    {"/sys/class/drm/card0", Kind::Link, "../../devices/platform/fb000000.gpu/drm/card0"},
    {"/sys/class/drm/renderD128", Kind::Link, "../../devices/platform/fb000000.gpu/drm/renderD128"},
    {"/sys/class/drm/version", Kind::File, "drm 1.1.0 20060810\n"},
    {GPU, Kind::Directory, ""},
    {GPU "/uevent", Kind::File, kGpuUevent},
    {GPU "/modalias", Kind::File, "of:NgpuT(null)Crockchip,rk3588-maliCarm,mali-valhall-csf\n"},
    {GPU "/subsystem", Kind::Link, "../../../bus/platform"},
    {GPU "/driver", Kind::Link, "../../../bus/platform/drivers/panthor"},
    {GPU "/of_node", Kind::Directory, ""},
    {GPU "/of_node/name", Kind::File, "gpu"},
    {GPU "/of_node/compatible", Kind::File, "rockchip,rk3588-mali"},
    {GPU "/drm", Kind::Directory, ""},
    {GPU "/drm/card0", Kind::Directory, ""},
    {GPU "/drm/card0/dev", Kind::File, "226:0\n"},
    {GPU "/drm/card0/uevent", Kind::File, "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n"},
    {GPU "/drm/card0/device", Kind::Link, "../../../fb000000.gpu"},
    {GPU "/drm/card0/subsystem", Kind::Link, "../../../../../class/drm"},
    {GPU "/drm/renderD128", Kind::Directory, ""},
    {GPU "/drm/renderD128/dev", Kind::File, "226:128\n"},
    {GPU "/drm/renderD128/uevent", Kind::File,
     "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"},
    {GPU "/drm/renderD128/device", Kind::Link, "../../../fb000000.gpu"},
    {GPU "/drm/renderD128/subsystem", Kind::Link, "../../../../../class/drm"},
};
constexpr Entry kNone = {"", Kind::None, ""};
// Whatever begins so is ours alone, whether it is there or not.
constexpr const char* kOwned[] = {"/dev/dri", "/sys/class/drm", "/sys/dev/char/226:", GPU};

const Entry* find(const std::string& path) {
    for (const Entry& e : kEntries)
        if (path == e.path) return &e;
    return nullptr;
}

bool is_owned(const std::string& path) {
    for (const char* prefix : kOwned) {
        const size_t length = strlen(prefix);
        if (path.compare(0, length, prefix) == 0 &&
            (path.size() == length || path[length] == '/' || prefix[length - 1] == ':'))
            return true;
    }
    return false;
}

}  // namespace

bool may_be_ours(const char* path) {
    if (!path || path[0] != '/') return false;
    // "//dev/dri" is rare and still right: any path that names one of the parts is looked at closely.
    return strstr(path, "/dri") || strstr(path, "/226:") || strstr(path, "/drm") ||
           strstr(path, "fb000000.gpu");
}

const Entry* resolve(const char* path, bool follow, std::string* canonical, bool* through) {
    std::string done, rest = path;
    for (int links = 0; links < 16;) {
        const size_t begin = rest.find_first_not_of('/');
        if (begin == std::string::npos) break;
        const size_t end = rest.find('/', begin);
        const std::string part = rest.substr(begin, end == std::string::npos ? end : end - begin);
        rest = end == std::string::npos ? "" : rest.substr(end);
        if (part == ".") continue;
        if (part == "..") {
            done.resize(done.empty() ? 0 : done.rfind('/'));
            continue;
        }
        const std::string here = done + "/" + part;
        const Entry* e = find(here);
        if (e && through) *through = true;
        const bool last = rest.find_first_not_of('/') == std::string::npos;
        if (e && e->kind == Kind::Link && (!last || follow)) {
            rest = std::string(e->content) + rest;  // relative to `done`
            links++;
        } else {
            done = here;
        }
    }
    if (canonical) *canonical = done.empty() ? "/" : done;
    const Entry* e = find(done);
    return e ? e : is_owned(done) ? &kNone : nullptr;
}

std::vector<const Entry*> list(const Entry& directory) {
    std::vector<const Entry*> out;
    const size_t length = strlen(directory.path);
    for (const Entry& e : kEntries)
        if (strncmp(e.path, directory.path, length) == 0 && e.path[length] == '/' &&
            !strchr(e.path + length + 1, '/'))
            out.push_back(&e);
    return out;
}

const char* name_of(const Entry& entry) {
    return strrchr(entry.path, '/') + 1;
}

const Entry* device_entry(uint32_t minor) {
    for (const Entry& e : kEntries)
        if (e.kind == Kind::Device && e.minor == minor) return &e;
    return nullptr;
}

}  // namespace terrazzo::winsys::shim
