// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The units for messages of all stages: attributes, buffers, textures. Decoded descriptors are cached by
// address until forget(), which is called between jobs, because memory may have changed.
#pragma once

#include <memory>
#include <unordered_map>

#include "drivers/mali/sim/core/units.h"
#include "drivers/mali/sim/units/format.h"
#include "drivers/mali/sim/units/resources.h"
#include "drivers/mali/sim/units/stage.h"
#include "drivers/mali/sim/units/texture.h"

namespace terrazzo::mali::sim {

class LoadOrder;

/// An attribute descriptor and its buffer.
struct AttributeState {
    hw::Attribute d;
    hw::Buffer buffer;
    FormatReader format;
    /// The address of an element; false: it is beyond the buffer, and reads as zeros.
    bool find(uint32_t index, uint64_t* va) const;
    /// Null: it is not in one mapping; with an address of 0: it is beyond the buffer.
    const uint8_t* element(Window& memory, uint32_t index, uint64_t* va) const;
    uint32_t index_of(uint32_t vertex, uint32_t instance, uint32_t attribute_offset) const;
};

class ShaderUnits : public Units {
  public:
    bool attribute(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool load_buffer(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool texture(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool store_converted(Warp& warp, const MessageIn& m, std::string* why) override;
    virtual void forget();
    LoadOrder* loads = nullptr;  // Machine::loads
    /// The lanes of texture messages so far.
    uint64_t texture_fetches() const { return texture_fetches_; }

  protected:
    const AttributeState* find_attribute(Window& memory, ResourceTables tables, Handle h, std::string* why);
    const hw::Buffer* find_buffer(Window& memory, ResourceTables tables, Handle h, std::string* why);

  private:
    bool load_attribute(Stage& stage, const MessageIn& m, Handle h, U32* out, std::string* why);
    /// Loads texels, or finds their addresses: 0 if they do not exist.
    bool image(Stage& stage, const MessageIn& m, Handle h, bool loads, U32* out, std::string* why);
    bool attribute_address(Stage& stage, const MessageIn& m, Handle h, U32* out, std::string* why);
    bool buffer_address(Stage& stage, const MessageIn& m, U32* out, std::string* why);

    std::unordered_map<uint64_t, AttributeState> attributes_;  // by tables and handle
    std::unordered_map<uint64_t, hw::Buffer> buffers_;
    TextureUnit textures_;
    uint64_t texture_fetches_ = 0;
};

}  // namespace terrazzo::mali::sim
