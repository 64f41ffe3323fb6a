// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The part of /dev and /sys that the shim shows: the chosen chip's platform device with a card and a render
// node, in the form that libdrm (drmGetDevices2 and others) and Mesa's loader look for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::winsys::shim {

enum class Kind : uint8_t {
    None,  // does not exist, and no other file system may answer: ENOENT
    Directory,
    File,
    Link,
    Device,
};

struct Entry {
    const char* path;
    Kind kind;
    const char* content;  // a file's content; a link's target; a device's node: "card" or "render"
    uint32_t minor = 0;   // for a device
};

constexpr uint32_t kDrmMajor = 226;

/// True if `path` may be ours, so that resolve() must be called.
[[nodiscard]] bool may_be_ours(const char* path);
/// The entry at `path`, which is absolute. Links are followed, the last one only with `follow`. Null: the
/// path is not ours. Kind::None: it would be ours, but does not exist. `*canonical`: the resolved path.
/// `*through`: the path led through our tree, so that the system knows only `canonical`.
[[nodiscard]] const Entry* resolve(const char* path, bool follow, std::string* canonical = nullptr,
                                   bool* through = nullptr);
/// The entries of a directory.
[[nodiscard]] std::vector<const Entry*> list(const Entry& directory);
/// The last component of an entry's path.
[[nodiscard]] const char* name_of(const Entry& entry);
/// The entry of a device by its minor number.
[[nodiscard]] const Entry* device_entry(uint32_t minor);

}  // namespace terrazzo::winsys::shim
