// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/values.h"

#include <charconv>

namespace terrazzo::winsys {
namespace {

template <class T>
bool parse_whole(std::string_view text, T* out) {
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, *out);
    return result.ec == std::errc() && result.ptr == end;
}

constexpr struct {
    std::string_view name;
    int version;
} kVersions[] = {{"2.0", 20}, {"3.0", 30}, {"3.1", 31}, {"3.2", 32}};

constexpr struct {
    std::string_view name;
    PlatformName platform;
} kPlatforms[] = {{"wayland", PlatformName::Wayland},
                  {"x11", PlatformName::X11},
                  {"gbm", PlatformName::Gbm},
                  {"drm", PlatformName::Gbm},
                  {"surfaceless", PlatformName::Surfaceless},
                  {"device", PlatformName::Surfaceless}};

}  // namespace

bool parse_threads(std::string_view text, unsigned* out) {
    unsigned n = 0;
    if (!parse_whole(text, &n) || n < 1 || n > kMaxThreads) return false;
    *out = n;
    return true;
}

bool parse_time_limit(std::string_view text, uint64_t* out_ns) {
    if (text == "off") {
        *out_ns = kUnlimited_ns;
        return true;
    }
    constexpr double kMax_s = 1e9;  // larger than any clock
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
    if (result.ec != std::errc() || result.ptr != end || !(seconds > 0 && seconds <= kMax_s)) return false;
    const auto ns = uint64_t(seconds * 1e9);
    if (ns == 0) return false;
    *out_ns = ns;
    return true;
}

bool parse_gles_version(std::string_view text, int* out) {
    for (const auto& v : kVersions)
        if (v.name == text) {
            *out = v.version;
            return true;
        }
    return false;
}

bool parse_platform(std::string_view text, PlatformName* out) {
    for (const auto& p : kPlatforms)
        if (p.name == text) {
            *out = p.platform;
            return true;
        }
    return false;
}

bool parse_shim_interface(std::string_view text, bool* older) {
    if (text != "older" && text != "current") return false;
    *older = text == "older";
    return true;
}

bool parse_descriptor(std::string_view text, int* out) {
    int fd = -1;
    if (!parse_whole(text, &fd) || fd < 0) return false;
    *out = fd;
    return true;
}

}  // namespace terrazzo::winsys
