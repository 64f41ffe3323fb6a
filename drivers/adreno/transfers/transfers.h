// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's copies and blits by the 2D engine.
#pragma once

#include "drivers/adreno/images/copy2d.h"
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/screen.h"

namespace terrazzo::adreno {

class Transfers {
  public:
    static constexpr uint64_t kLeastCopy_B = 0;

    /// Objects of the context, which outlives this.
    Transfers(images::ImageAccess& context, Recorder& recorder, Pass& pass, AdrenoScreen& screen)
        : context_(context), recorder_(recorder), pass_(pass), screen_(screen) {}

    // --- what contexts::VendorContext asks for, outside passes; all throw std::bad_alloc

    [[nodiscard]] bool copy(const ImageCopy& copy);
    [[nodiscard]] bool copy_bytes(images::StoredResource& dst, uint64_t dst_B, images::StoredResource& src,
                                  uint64_t src_B, uint64_t size_B);
    [[nodiscard]] bool blit(const pipe::BlitInfo& info);
    void record_plain_copy(images::StoredResource& from, const Bo& to);

  private:
    /// write(stream, chip) lets the 2D engine read and write these, whose memory and form stay as they
    /// are meanwhile.
    /// False: write() did, as it found that the engine cannot; nothing was written.
    template <class F>
    bool run_engine_on(const EngineSide& src, const EngineSide& dst, F&& write);
    /// False: the engine cannot.
    bool copy_by_engine(const ImageCopy& copy);
    /// Within an image, where both may overlap, by way of another one. False: the engine cannot.
    bool copy_through_temporary(const ImageCopy& copy);
    /// All of the source's level is copied first, so that the blit stays as it is. False: the engine cannot.
    [[nodiscard]] bool blit_from_temporary(const pipe::BlitInfo& info);

    images::ImageAccess& context_;
    Recorder& recorder_;
    Pass& pass_;
    AdrenoScreen& screen_;
};

}  // namespace terrazzo::adreno
