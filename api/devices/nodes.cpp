// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Linux drivers/gpu/drm/drm_sysfs.c, drm_drv.c (nodes of one device share the folder device/drm;
// cards have minor numbers up to 63, render nodes from 128 on).
#include "api/devices/nodes.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <optional>
#include <string_view>

#include "winsys/uapi/drm.h"

namespace terrazzo::api {
namespace {

constexpr unsigned kDrmMajor = 226, kFirstRenderMinor = 128;
constexpr unsigned kCardCount = 64;

std::optional<unsigned> drm_minor(const struct stat& st) {
    if (!S_ISCHR(st.st_mode) || major(st.st_rdev) != kDrmMajor) return std::nullopt;
    return minor(st.st_rdev);
}

std::optional<unsigned> drm_minor(int fd) {
    struct stat st {};
    return fstat(fd, &st) == 0 ? drm_minor(st) : std::nullopt;
}

/// The nodes in a device's folder in sysfs.
Nodes list_nodes(const std::string& folder) {
    Nodes nodes;
    DIR* const dir = opendir(folder.c_str());
    if (!dir) return nodes;
    while (const dirent* entry = readdir(dir)) {
        const std::string_view name = entry->d_name;
        if (name.starts_with("card")) nodes.primary = "/dev/dri/" + std::string(name);
        if (name.starts_with("renderD")) nodes.render = "/dev/dri/" + std::string(name);
    }
    closedir(dir);
    return nodes;
}

Nodes nodes_of_minor(std::optional<unsigned> minor) {
    if (!minor) return {};
    Nodes nodes = list_nodes("/sys/dev/char/" + std::to_string(kDrmMajor) + ":" + std::to_string(*minor) +
                             "/device/drm");
    if (*minor < kCardCount && nodes.primary.empty())
        nodes.primary = "/dev/dri/card" + std::to_string(*minor);
    if (*minor >= kFirstRenderMinor && nodes.render.empty())
        nodes.render = "/dev/dri/renderD" + std::to_string(*minor);
    return nodes;
}

}  // namespace

Nodes nodes_of(int fd) {
    return nodes_of_minor(drm_minor(fd));
}

Nodes nodes_at(const std::string& path) {
    struct stat st {};
    return stat(path.c_str(), &st) == 0 ? nodes_of_minor(drm_minor(st)) : Nodes{};
}

bool is_primary_node(int fd) {
    const std::optional<unsigned> minor = drm_minor(fd);
    return minor && *minor < kCardCount;
}

std::string primary_node_of(const std::string& render_node_name) {
    return list_nodes("/sys/class/drm/" + render_node_name + "/device/drm").primary;
}

std::string kernel_driver(winsys::Drm& drm) {
    char name[32] = {};
    uapi::drm_version v{};
    v.name = name;
    v.name_len = sizeof(name) - 1;
    return drm.ioctl(uapi::kIoctlVersion, &v) == 0 ? name : "";
}

}  // namespace terrazzo::api
