// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The nodes in /dev/dri of a DRM device, as sysfs tells them.
#pragma once

#include <string>

#include "winsys/drm/drm.h"

namespace terrazzo::api {

struct Nodes {
    std::string primary, render;  // paths; empty: there is none, or there is no sysfs
};

/// Of the device that an open file belongs to. Without sysfs the file's own node alone is known; none, where it is no DRM file.
[[nodiscard]] Nodes nodes_of(int fd);
/// The same of a device's node that need not be open. A link is followed.
[[nodiscard]] Nodes nodes_at(const std::string& path);
/// True where the open file is a card's node, which can set modes, and not a render node.
[[nodiscard]] bool is_primary_node(int fd);
/// The card of a render node ("renderD128"); empty: it has none, or there is no sysfs.
[[nodiscard]] std::string primary_node_of(const std::string& render_node_name);

/// The name of the kernel driver behind an open file; empty: it would not say, and is none of a DRM device.
[[nodiscard]] std::string kernel_driver(winsys::Drm& drm);

}  // namespace terrazzo::api
