// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The part of /dev and /sys that the shim shows: the chosen chip's platform device with a card and a render node, as
// libdrm (drmGetDevices2 and its like) and Mesa's loader look for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::winsys::shim {

enum class Kind : uint8_t {
    None,  // not there, but nobody else's either: ENOENT
    Directory,
    File,
    Link,
    Device,
};

struct Entry {
    const char* path;
    Kind kind;
    const char* content;  // of a file; where a link points to; a device's node: "card" or "render"
    uint32_t minor = 0;   // of a device
};

constexpr uint32_t kDrmMajor = 226;

/// True where `path` may be ours, so that asking resolve() is worth it.
[[nodiscard]] bool may_be_ours(const char* path);
/// What is at `path` (absolute), links followed but for the last one unless `follow`. Null: it is not ours;
/// an entry of Kind::None: it would be ours, and is not there. `canonical`: where it led. `*through`: whether
/// it led through something of ours, so that only `canonical` is a path that the system knows.
[[nodiscard]] const Entry* resolve(const char* path, bool follow, std::string* canonical = nullptr,
                                   bool* through = nullptr);
/// Names in a directory.
[[nodiscard]] std::vector<const Entry*> list(const Entry& directory);
/// The last part of an entry's path.
[[nodiscard]] const char* name_of(const Entry& entry);
/// The entry of a device by its minor number.
[[nodiscard]] const Entry* device_entry(uint32_t minor);

}  // namespace terrazzo::winsys::shim
