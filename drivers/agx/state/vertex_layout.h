// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes, in the form in which pieces of code fetch them.
#pragma once

#include <array>
#include <optional>

#include "drivers/agx/compiler/compile.h"
#include "drivers/common/context/converted_vertices.h"
#include "pipe/state.h"

namespace terrazzo::agx {

/// How code fetches an attribute of the format; no value: the CPU must convert it.
[[nodiscard]] std::optional<compiler::Attribute> fetched_attribute(pipe::Format f);
/// Four floats: of locations without a format or buffer, and of converted attributes.
[[nodiscard]] compiler::Attribute four_floats();

class AgxVertexLayout final : public pipe::VertexLayout, public contexts::FetchedAttributes {
  public:
    explicit AgxVertexLayout(const pipe::VertexLayoutDesc& d);
    const pipe::VertexLayoutDesc desc;
    std::array<compiler::Attribute, pipe::kMaxVertexAttribs> attributes;  // with location and divisor
};

}  // namespace terrazzo::agx
