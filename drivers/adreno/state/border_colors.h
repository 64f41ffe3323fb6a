// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device's table of border colours, which samplers name by number. An entry has one colour in each form that a texture's format may want,
// so that those of floats need one entry; those of integers depend on the format's kind. Entries live as long as the device's screen.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "drivers/adreno/device.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// What a border colour's bits are, and what they are clamped to.
enum class BorderForm : uint8_t { Float, Uint8, Int8, Uint10, Uint16, Int16, Bits32 };
/// That of a texture's format.
[[nodiscard]] BorderForm border_form(pipe::Format format);

class BorderColors {
  public:
    static constexpr uint32_t kMost = 1024;
    /// nullopt: out of memory.
    [[nodiscard]] static std::unique_ptr<BorderColors> create(Device& device);
    /// The number of the colour's entry. Thread: any. Where the table is full, that of transparent black, which is said in the log.
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
