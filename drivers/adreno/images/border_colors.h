// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device's table of border colors, which samplers name by number. An entry has one color in the form of
// every kind of texture format, so that a color of floats needs one entry; that of a color of integers
// depends on the format. Entries live as long as the device's screen.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "drivers/adreno/device.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The type of a border color's channels and the range to which they are clamped.
enum class BorderForm : uint8_t { Float, Uint8, Int8, Uint10, Uint16, Int16, Bits32 };
/// The form for textures of the format.
[[nodiscard]] BorderForm border_form(pipe::Format format);

class BorderColors {
  public:
    static constexpr uint32_t kMost = 1024;
    /// Null: out of memory.
    [[nodiscard]] static std::unique_ptr<BorderColors> create(Device& device);
    /// The number of the color's entry. If the table is full, that of transparent black, with a message in
    /// the log. Thread: any.
    [[nodiscard]] uint32_t number(const pipe::BorderColor& color, BorderForm form);
    [[nodiscard]] uint64_t va() const { return bo_->va; }
    [[nodiscard]] const pipe::Ref<Bo>& bo() const { return bo_; }

  private:
    struct Key {
        pipe::BorderColor color;
        BorderForm form;
        bool operator==(const Key&) const = default;
    };
    explicit BorderColors(pipe::Ref<Bo> bo) : bo_(std::move(bo)) {}
    void write(uint32_t number, const Key& key);

    const pipe::Ref<Bo> bo_;
    std::mutex mutex_;
    std::vector<Key> keys_;
};

}  // namespace terrazzo::adreno
