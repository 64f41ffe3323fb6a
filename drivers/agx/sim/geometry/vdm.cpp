// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The VDM: walks its stream, keeps its state and the PPP's, and draws. A stream begins without any state.
#include <cstring>
#include <optional>
#include <utility>

#include "drivers/agx/hw/stream_position.h"
#include "drivers/agx/sim/geometry/draw.h"

namespace terrazzo::agx::sim {

namespace {

constexpr uint64_t kMostBlocks = uint64_t(1) << 26, kBlocksPerQuestion = 1024;

class Engine final : public VertexEngine {
  public:
    explicit Engine(Machine& machine) : machine_(machine), draw_(machine) {}

    bool run(const RenderCommand& command, TileEngine& tiles, BinnedRender* out, TilePass* pass,
             Fault* fault) override {
        command_ = &command, tiles_ = &tiles, out_ = out, pass_ = pass, fault_ = fault;
        at_.emplace(command.vdm_ctrl_stream_base);
        ppp_ = {}, vdm_ = {};
        ppp_changed_ = true, ends_ = false;
        draw_.begin_command();
        for (uint64_t n = 0; n < kMostBlocks; ++n) {
            uint32_t word;
            if (n % kBlocksPerQuestion == 0 && machine_.host.should_stop()) return true;
            if (!read(at_->va, &word, sizeof word, "VDM stream")) return false;
            ++machine_.counters.packets;
            if (!block(word)) return false;
            if (ends_) return true;
        }
        return refuse("the stream does not end");
    }
    void count(host::Counters* c) override {
        host::Counters now;
        draw_.count(&now);
        *c += now - std::exchange(counted_, now);
    }

  private:
    template <class... Part>
    bool refuse(const Part&... part) {
        return fail(fault_, Exception::BadCommand, "VDM stream at ", host::hex_text(at_->va), ": ", part...);
    }
    bool read(uint64_t va, void* to, uint64_t size_B, const char* what) {
        return machine_.memory.read(va, to, size_B) || fail_access(fault_, machine_.memory, what);
    }
    template <class T>
    bool take(T* out) {
        uint32_t words[T::kSize_dw];
        if (!read(at_->va, words, T::kSize_B, "VDM stream")) return false;
        if (!unpack(words, out)) return refuse("a block has bits without a meaning");
        at_->va += T::kSize_B;
        return true;
    }
    /// A header and its parts.
    template <class T, class Header>
    bool take_record(T* out, unsigned* dw) {
        uint32_t words[T::kMost_dw];
        Header header;
        if (!read(at_->va, words, Header::kSize_B, "VDM stream")) return false;
        if (!unpack(words, &header)) return refuse("a header has bits without a meaning");
        *dw = size_dw(header);
        if (!read(at_->va, words, *dw * 4, "VDM stream")) return false;
        fields::ReservedBits found;
        return (unpack(words, *dw, out, &found) && !found.count) ||
               refuse("a record has bits without a meaning");
    }

    bool block(uint32_t word) {
        switch (hw::VdmBlock(word >> 29)) {
            case hw::VdmBlock::PppState:
                return ppp_state();
            case hw::VdmBlock::Barrier: {
                hw::VdmBarrier barrier;
                return take(&barrier) &&
                       (!barrier.returns || at_->go_back() || refuse("nothing to return to"));
            }
            case hw::VdmBlock::VdmState:
                return vdm_state();
            case hw::VdmBlock::IndexList:
                return draw();
            case hw::VdmBlock::StreamLink: {
                hw::VdmStreamLink to;
                return take(&to) && (at_->link(to.target_high, to.target_low, to.with_return) ||
                                     refuse("too many streams wait for others"));
            }
            case hw::VdmBlock::Tessellate:
                return refuse("the tessellator is not modelled");
            case hw::VdmBlock::StreamTerminate: {
                hw::VdmStreamTerminate end;
                ends_ = true;
                return take(&end);
            }
        }
        return refuse("no block has type 7");
    }

    // A record replaces the parts that it has.
    bool ppp_state() {
        hw::VdmPppState update;
        if (!take(&update)) return false;
        const uint64_t va = uint64_t(update.pointer_high) << 32 | update.pointer_low;
        uint32_t words[256];
        if (!read(va, words, update.size_dw * 4, "PPP state")) return false;
        hw::PppState n;
        fields::ReservedBits found;
        if (!update.size_dw || !unpack(words, update.size_dw, &n, &found) || found.count)
            return refuse("the PPP state at ", host::hex_text(va),
                          " has bits without a meaning, or another size");
        const hw::PppHeader& h = n.header;
        hw::PppHeader& all = ppp_.header;
        const auto replace = [](bool is_there, bool* has, auto* to, const auto& from) {
            if (is_there) *has = true, *to = from;
        };
#define PART(name) replace(h.name, &all.name, &ppp_.name, n.name)
        PART(fragment_control);
        PART(fragment_control_2);
        PART(front_face);
        PART(front_face_2);
        PART(front_stencil);
        PART(back_face);
        PART(back_face_2);
        PART(back_stencil);
        PART(depth_bias_scissor);
        PART(w_clamp);
        PART(output_select);
        PART(varying_counts_32);
        PART(varying_counts_16);
        PART(cull);
        PART(cull_2);
        PART(fragment_shader);
        PART(occlusion_query);
        PART(occlusion_query_2);
        PART(output_unknown);
        PART(output_size);
        PART(varying_2);
#undef PART
        if (h.region_clip) {
            all.region_clip = true;
            std::copy(std::begin(n.region_clip), std::end(n.region_clip), std::begin(ppp_.region_clip));
        }
        if (h.viewport) {
            all.viewport = true;
            all.viewport_count = h.viewport_count;
            std::copy(std::begin(n.viewport), std::end(n.viewport), std::begin(ppp_.viewport));
        }
        ppp_changed_ = true;
        return true;
    }

    bool vdm_state() {
        hw::VdmState n;
        unsigned dw = 0;
        if (!take_record<hw::VdmState, hw::VdmStateHeader>(&n, &dw)) return false;
        const hw::VdmStateHeader& h = n.header;
        if (h.tessellation || h.tessellation_scale) return refuse("the tessellator is not modelled");
        const unsigned size_B = dw * 4;
        at_->va += (size_B + 7) / 8 * 8;
        hw::VdmStateHeader& all = vdm_.header;
        const auto replace = [](bool is_there, bool* has, auto* to, const auto& from) {
            if (is_there) *has = true, *to = from;
        };
        replace(h.restart_index, &all.restart_index, &vdm_.restart_index, n.restart_index);
        replace(h.vertex_counts, &all.vertex_counts, &vdm_.vertex_counts, n.vertex_counts);
        replace(h.vertex_pipeline, &all.vertex_pipeline, &vdm_.vertex_pipeline, n.vertex_pipeline);
        replace(h.vertex_outputs, &all.vertex_outputs, &vdm_.vertex_outputs, n.vertex_outputs);
        ppp_changed_ |= h.vertex_outputs;  // a draw's state has the size of a vertex
        replace(h.vertex_unknown, &all.vertex_unknown, &vdm_.vertex_unknown, n.vertex_unknown);
        return true;
    }

    bool find_call(const hw::IndexList& l, DrawCall* c) {
        const hw::IndexListHeader& h = l.header;
        c->primitive = h.primitive;
        c->indexed = h.index_buffer;
        c->instances = h.instances ? l.instances.count : 1;
        c->count = h.count ? l.count.count : 0;
        uint32_t start = h.start ? uint32_t(l.start.start) : 0, first_index = 0;
        if (h.indirect) {
            // Count, instances, first index (of indexed draws), first vertex or what is added.
            uint32_t words[4] = {};
            const uint64_t va = uint64_t(l.indirect.high) << 32 | l.indirect.low;
            if (!read(va, words, sizeof words, "an indirect draw")) return false;
            c->count = words[0], c->instances = words[1];
            first_index = c->indexed ? words[2] : 0;
            start = c->indexed ? words[3] : words[2];
        } else if (!h.count) {
            return refuse("a draw without a count");
        }
        c->first = start;
        if (!c->indexed) return true;
        if (h.index_size > hw::IndexSize::U32) return refuse("index size ", unsigned(h.index_size));
        units::IndexArray& a = c->indices;
        a.va = uint64_t(h.index_buffer_high) << 32 | l.index_buffer.address_low;
        a.index_B = 1u << unsigned(h.index_size);
        // Without a size the buffer has what the draw reads.
        a.all = h.index_buffer_size ? l.index_buffer_size.size / a.index_B : ~0u;
        a.first = first_index, a.count = c->count;
        a.vertex_offset = int32_t(start);
        if (h.restart_enable) {
            if (!vdm_.header.restart_index) return refuse("VDM state has no restart_index");
            const uint32_t most = a.index_B == 4 ? ~0u : (1u << 8 * a.index_B) - 1;
            a.restart = vdm_.restart_index.value & most;
        }
        return true;
    }

    bool draw() {
        hw::IndexList list;
        unsigned dw = 0;
        if (!take_record<hw::IndexList, hw::IndexListHeader>(&list, &dw)) return false;
        at_->va += dw * 4;
        DrawCall call;
        if (!find_call(list, &call)) return false;
        ++machine_.draws;
        ++machine_.counters.draws;
        if (ppp_changed_ || out_->draws.empty()) add_state();
        const auto full = [&] {
            if (out_->size_B <= machine_.parameter_buffer_B) return true;
            // A partial render: the tiles so far are drawn and stored.
            if (!tiles_->run(*command_, *out_, {pass_->first, false}, fault_)) return false;
            pass_->first = false;
            *out_ = {};
            add_state();
            return true;
        };
        const bool good = draw_.run(*command_, ppp_, vdm_, call, out_, full, fault_);
        machine_.host.note_progress();
        return good;
    }
    void add_state() {
        auto state = std::make_unique<BinnedDraw>();
        state->ppp = ppp_;
        state->number = machine_.draws;
        state->output_words = vdm_.vertex_outputs.count_1;
        out_->draws.push_back(std::move(state));
        out_->size_B += sizeof(BinnedDraw);
        ppp_changed_ = false;
    }

    Machine& machine_;
    GeometryDraw draw_;
    const RenderCommand* command_ = nullptr;
    TileEngine* tiles_ = nullptr;
    BinnedRender* out_ = nullptr;
    TilePass* pass_ = nullptr;
    Fault* fault_ = nullptr;
    std::optional<hw::StreamPosition> at_;
    hw::PppState ppp_;
    hw::VdmState vdm_;
    bool ppp_changed_ = true, ends_ = false;
    host::Counters counted_;
};

}  // namespace

std::unique_ptr<VertexEngine> create_vertex_engine(Machine& machine) {
    return std::make_unique<Engine>(machine);
}

}  // namespace terrazzo::agx::sim
