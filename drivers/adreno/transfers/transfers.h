// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's copies and blits by the 2D engine.
#pragma once

#include "drivers/adreno/images/copy2d.h"
#include "drivers/adreno/passes/draw_state.h"

namespace terrazzo::adreno {

class Transfers : contexts::ContextPart<StateTypes> {
  public:
    static constexpr uint64_t kLeastCopy_B = 0;

    using ContextPart::ContextPart;

    // --- required by contexts::VendorContext; called outside of passes; all functions throw std::bad_alloc

    [[nodiscard]] bool copy(const ImageCopy& copy);
    [[nodiscard]] bool copy_bytes(const images::BufferCopy& copy);
    [[nodiscard]] bool blit(const pipe::BlitInfo& info);
    void record_plain_copy(images::StoredResource& from, const Bo& to);

  private:
    /// Calls write(stream, chip), which records work of the 2D engine on these images. Their memory and form
    /// do not change meanwhile. False: write() returned false, since the engine cannot do it, and wrote
    /// nothing.
    template <class F>
    bool run_engine_on(const EngineSide& src, const EngineSide& dst, F&& write);
    /// False: the engine cannot copy these.
    bool copy_by_engine(const ImageCopy& copy);
    /// Copies within one level of an image, through a temporary image, since the boxes may overlap. False:
    /// the engine cannot.
    bool copy_through_temporary(const ImageCopy& copy);
};

}  // namespace terrazzo::adreno
