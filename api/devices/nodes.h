// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The nodes in /dev/dri of a DRM device, according to sysfs.
#pragma once

#include <string>

#include "winsys/drm/drm.h"

namespace terrazzo::api {

struct Nodes {
    std::string primary, render;  // paths; empty: there is none, or no sysfs
};

/// The nodes of an open file's device. Without sysfs only the file's own node is known. Empty: it is not a
/// DRM file.
[[nodiscard]] Nodes nodes_of(int fd);
/// The nodes of the device of a path, which need not be open. Links are followed.
[[nodiscard]] Nodes nodes_at(const std::string& path);
/// Whether the open file is a card's node, which can set modes, and not a render node.
[[nodiscard]] bool is_primary_node(int fd);
/// The card of a render node ("renderD128"); empty: there is none, or no sysfs.
[[nodiscard]] std::string primary_node_of(const std::string& render_node_name);

/// The name of an open file's kernel driver; empty: unknown, or not a DRM device.
[[nodiscard]] std::string kernel_driver(winsys::Drm& drm);

}  // namespace terrazzo::api
