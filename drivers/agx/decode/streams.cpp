// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The control streams of the VDM and of the CDM. Source of what follows what: Mesa 25.0.7,
// src/asahi/lib/decode.c.
#include <cinttypes>

#include "drivers/agx/decode/objects.h"
#include "drivers/agx/hw/stream_position.h"

namespace terrazzo::agx::decode {

using namespace hw;

namespace {

/// Follows one stream. A derived class reads its blocks: `bool block(uint32_t word)` prints the block that
/// begins with this word, and moves on; false: the stream cannot be followed.
class Stream {
  protected:
    Stream(Context& context, uint64_t va) : c_(context), at_(va) {}

    /// Reads, prints and passes a block of one struct.
    template <class T>
    bool take(const char* label, T* out) {
        if (!c_.descriptor(at_.depth(), label, at_.va, out)) return false;
        pass(T::kSize_B);
        return true;
    }
    /// The same for a header and its parts, whose size is padded to a multiple of align_B(header).
    template <class T, class Header>
    bool take_record(const char* label, T* out, unsigned (*align_B)(const Header&)) {
        uint32_t words[T::kMost_dw];
        Header header;
        fields::ReservedBits found;
        if (c_.read(at_.va, words, Header::kSize_B)) unpack(words, &header, &found);
        const unsigned dw = size_dw(header);
        if (!c_.read(at_.va, words, dw * 4)) {
            c_.print(at_.depth(), "%s @0x%" PRIx64 ": unmapped", label, at_.va);
            return false;
        }
        c_.print(at_.depth(), "%s @0x%" PRIx64 ":", label, at_.va);
        found = {};
        (void)unpack(words, dw, out, &found);
        print(static_cast<fields::Sink&>(c_), *out, at_.depth() + 1);
        c_.print_findings(at_.depth() + 1, found);
        const unsigned multiple_B = align_B(header);
        pass((dw * 4 + multiple_B - 1) / multiple_B * multiple_B);
        return true;
    }
    void pass(unsigned size_B) {
        at_.va += size_B;
        since_draw_B_ += size_B;
    }
    bool link(uint32_t high, uint32_t low, bool with_return) {
        return at_.link(high, low, with_return) || c_.stop(at_.depth(), "too many streams wait for others");
    }
    bool go_back() { return at_.go_back() || c_.stop(at_.depth(), "nothing to return to"); }
    /// Counts a draw: bytes since the last one.
    void drawn() {
        if (!c_.options.statistics) return;
        ++c_.options.statistics->draws;
        c_.options.statistics->draw_B.push_back(uint32_t(since_draw_B_));
        since_draw_B_ = 0;
    }

    /// Calls `block` until `ends_` is set.
    template <class Derived>
    bool follow(Derived* derived) {
        for (uint64_t i = 0; i < c_.options.max_blocks && !c_.full(); ++i) {
            uint32_t word;
            if (!c_.read(at_.va, &word, sizeof word))
                return c_.stop(at_.depth(), "the stream leaves mapped memory");
            if (!derived->block(word)) return false;
            if (c_.options.statistics) ++c_.options.statistics->blocks;
            if (ends_) return true;
        }
        return c_.stop(at_.depth(), "the stream does not end");
    }

    Context& c_;
    StreamPosition at_;
    bool ends_ = false;
    uint64_t since_draw_B_ = 0;
};

class Vdm : Stream {
  public:
    Vdm(Context& context, uint64_t va) : Stream(context, va) {}
    bool run() { return follow(this); }

    bool block(uint32_t word) {
        switch (VdmBlock(word >> 29)) {
            case VdmBlock::PppState:
                return ppp_state();
            case VdmBlock::Barrier: {
                VdmBarrier barrier;
                if (!take("Barrier", &barrier)) return false;
                return !barrier.returns || go_back();
            }
            case VdmBlock::VdmState:
                return vdm_state();
            case VdmBlock::IndexList:
                return draw();
            case VdmBlock::StreamLink: {
                VdmStreamLink target;
                return take("Link", &target) &&
                       link(target.target_high, target.target_low, target.with_return);
            }
            case VdmBlock::Tessellate:
                return c_.stop(at_.depth(), "the tessellator's blocks are not decoded");
            case VdmBlock::StreamTerminate: {
                VdmStreamTerminate end;
                ends_ = true;
                return take("End", &end);
            }
        }
        return c_.stop(at_.depth(), "no VDM block has type 7");
    }

  private:
    static unsigned padding_of(const VdmStateHeader& header) { return header.tessellation_scale ? 4 : 8; }
    static unsigned no_padding(const IndexListHeader&) { return 4; }

    bool ppp_state() {
        VdmPppState update;
        if (!take("PPP update", &update)) return false;
        since_draw_B_ += update.size_dw * 4;
        print_ppp(c_, at_.depth() + 1, uint64_t(update.pointer_high) << 32 | update.pointer_low,
                  update.size_dw);
        return true;
    }
    bool vdm_state() {
        VdmState state;
        if (!take_record("VDM state", &state, padding_of)) return false;
        if (state.header.vertex_counts) samplers_ = state.vertex_counts.samplers;
        if (state.header.vertex_pipeline)
            print_usc(c_, at_.depth() + 1, "Vertex program", state.vertex_pipeline, samplers_);
        return true;
    }
    bool draw() {
        IndexList list;
        if (!take_record("Draw", &list, no_padding)) return false;
        drawn();
        if (!list.header.indirect) return true;
        const uint64_t va = uint64_t(list.indirect.high) << 32 | list.indirect.low;
        uint32_t words[5] = {};
        const size_t size_dw = list.header.index_buffer ? 5 : 4;
        if (!c_.read(va, words, size_dw * 4))
            c_.print(at_.depth() + 1, "Indirect draw @0x%" PRIx64 ": unmapped", va);
        else
            c_.print(at_.depth() + 1, "Indirect draw @0x%" PRIx64 ": count %u, instances %u, %u %u %u", va,
                     words[0], words[1], words[2], words[3], words[4]);
        return true;
    }

    SamplerStates samplers_ = SamplerStates::None;
};

class Cdm : Stream {
  public:
    Cdm(Context& context, uint64_t va) : Stream(context, va) {}
    bool run() { return follow(this); }

    bool block(uint32_t word) {
        switch (CdmBlock(word >> 29)) {
            case CdmBlock::Launch:
                return launch();
            case CdmBlock::StreamLink: {
                CdmStreamLink target;
                return take("Link", &target) &&
                       link(target.target_high, target.target_low, target.with_return);
            }
            case CdmBlock::StreamTerminate: {
                CdmStreamTerminate end;
                ends_ = true;
                return take("End", &end);
            }
            case CdmBlock::Barrier: {
                CdmBarrier barrier;
                if (!take("Barrier", &barrier)) return false;
                return !barrier.returns || go_back();
            }
            case CdmBlock::StreamReturn: {
                CdmStreamReturn back;
                return take("Return", &back) && go_back();
            }
        }
        c_.print(at_.depth(), "! no CDM block has type %u", word >> 29);
        return false;
    }

  private:
    bool launch() {
        CdmLaunch launch;
        if (!take("Launch", &launch)) return false;
        if (c_.options.statistics) ++c_.options.statistics->dispatches;
        CdmUnknownG14x unknown;
        if (c_.options.several_clusters_of_14 && !take("Part of generation 14", &unknown)) return false;
        CdmIndirect indirect;
        CdmSize size;
        switch (launch.mode) {
            case CdmMode::Direct:
                if (!take("Threads", &size) || !take("Threads of a group", &size)) return false;
                break;
            case CdmMode::IndirectGlobal:
                if (!take("Indirect", &indirect) || !take("Threads of a group", &size)) return false;
                break;
            case CdmMode::IndirectLocal:
                if (!take("Indirect", &indirect)) return false;
                break;
        }
        print_usc(c_, at_.depth() + 1, "Program", launch.pipeline, launch.samplers);
        return true;
    }
};

}  // namespace

bool print_vdm(Context& context, uint64_t va) {
    return Vdm(context, va).run();
}

bool print_cdm(Context& context, uint64_t va) {
    return Cdm(context, va).run();
}

bool print_vdm(const Memory& memory, uint64_t va, fields::Sink& sink, const Options& options) {
    Context context(memory, sink, options);
    return print_vdm(context, va);
}

bool print_cdm(const Memory& memory, uint64_t va, fields::Sink& sink, const Options& options) {
    Context context(memory, sink, options);
    return print_cdm(context, va);
}

}  // namespace terrazzo::agx::decode
