// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blend shaders: what BLEND calls where fixed function does not suffice (minima and maxima, saturation, two
// multiplications, a blend colour that differs from channel to channel, formats that the blender does not
// know). The blend colour, which changes often, is read from the fragment shader's uniforms. Made when first
// wanted.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "drivers/common/blend/shader.h"
#include "drivers/common/program/code.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

struct BlendKey {
    blend::ShaderDesc blend;  // color_at_dw: 0 where the equation reads no constant
    uint8_t target = 0;
    bool half_source = false;  // the fragment shader's colours are 16-bit floats
    bool operator==(const BlendKey&) const = default;
};

/// Blend shaders of a device, by what they do. Thread: any.
class BlendShaders {
  public:
    explicit BlendShaders(Device& device) : device_(device) {}
    BlendShaders(const BlendShaders&) = delete;
    BlendShaders& operator=(const BlendShaders&) = delete;
    ~BlendShaders();
    /// Address of the code. Finding what is there takes no lock. Throws std::bad_alloc; 0: the compiler
    /// refused it (said in the device's log).
    [[nodiscard]] uint64_t find(const BlendKey& key);

  private:
    struct Entry {
        BlendKey key;
        programs::DeviceCode code;
        Entry* next = nullptr;
    };
    static constexpr size_t kBuckets = 64;
    [[nodiscard]] std::unique_ptr<Entry> make(const BlendKey& key);

    Device& device_;
    std::mutex mutex_;  // of those who add
    std::array<std::atomic<Entry*>, kBuckets> buckets_{};
};

}  // namespace terrazzo::mali
