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
#include <mutex>
#include <vector>

#include "drivers/mali/state/blend.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

struct BlendKey {
    BlendForm form;
    pipe::Format format = pipe::Format::None;
    uint8_t target = 0;
    uint8_t write_mask = 0;  // of channels that the format has
    bool alpha_to_one = false;
    bool half_source = false;  // the fragment shader gives 16-bit floats
    bool has_second = false;   // the fragment shader gives a second source; else it is 0
    uint8_t color_at_dw = 0;   // where the blend colour is among the uniforms; 0 where `form.constants` is
    bool operator==(const BlendKey& o) const {
        return form.desc == o.form.desc && format == o.format && target == o.target &&
               write_mask == o.write_mask && alpha_to_one == o.alpha_to_one && half_source == o.half_source &&
               has_second == o.has_second && color_at_dw == o.color_at_dw;
    }
};

/// Bit a channel that the format stores; luminance is red.
[[nodiscard]] uint8_t stored_channels(pipe::Format f);

/// What compiler::compile_blend takes.
[[nodiscard]] std::unique_ptr<ir::Shader> make_blend_ir(const BlendKey& key);

class BlendShaders {
  public:
    explicit BlendShaders(Device& device) : device_(device) {}
    ~BlendShaders();
    /// Address of the code. Finding what is there takes no lock. Throws std::bad_alloc; 0: the compiler
    /// refused it (said in the device's log).
    [[nodiscard]] uint64_t find(const BlendKey& key);

  private:
    struct Entry {
        BlendKey key;
        Block code;
        Entry* next = nullptr;
    };
    static constexpr size_t kBuckets = 64;
    [[nodiscard]] std::unique_ptr<Entry> make(const BlendKey& key);

    Device& device_;
    std::mutex mutex_;  // of those who add
    std::array<std::atomic<Entry*>, kBuckets> buckets_{};
};

}  // namespace terrazzo::mali
