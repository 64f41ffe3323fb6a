// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/stream_output.h"
#include "drivers/adreno/sim/read.h"
#include "drivers/common/core/stored_range.h"

#include <string>

namespace terrazzo::adreno::sim {

// Each stream's program is a quarter of the words.
void StreamOutput::decode_program(const Registers& r, unsigned stream, uint32_t stride) {
    constexpr unsigned kWords = Registers::kStreamProgram / kStreams;
    Stream& s = streams_[stream];
    const auto add = [&](unsigned location, unsigned buffer, unsigned offset_B) {
        if (location >= stride)
            s.wrong = "VPC_SO_PROG: location " + std::to_string(location) +
                      " is beyond VPC_VS_PACK's stride of " + std::to_string(stride);
        else if (buffers_[buffer].stream != stream + 1)
            s.wrong = "VPC_SO_PROG writes buffer " + std::to_string(buffer) +
                      ", which VPC_SO_STREAM_CNTL gives no stream";
        else if (!s.words.empty() && s.words.back().buffer == buffer &&
                 s.words.back().location + s.words.back().count == location &&
                 s.words.back().offset_B + 4u * s.words.back().count == offset_B)
            ++s.words.back().count;
        else
            s.words.push_back({uint8_t(location), uint8_t(buffer), uint16_t(offset_B), 1});
    };
    for (unsigned i = 0; i < kWords; ++i) {
        const uint32_t word = r.stream_program(stream * kWords + i);
        hw::VPC_SO_PROG p;
        unpack(&word, &p);
        if (p.a_en) add(2 * i, p.a_buf, p.a_off);
        if (p.b_en) add(2 * i + 1, p.b_buf, p.b_off);
    }
}

bool StreamOutput::init(Machine& machine, uint32_t stride, bool many_streams, Fault* fault) {
    const Registers& r = machine.registers;
    for (Stream& s : streams_) {
        s.enabled = false;
        s.wrong.clear();
        s.words.clear();
    }
    const auto control = r.get<hw::VPC_SO_STREAM_CNTL>();
    const uint32_t enabled = control.stream_enable & (many_streams ? ~0u : 1u);
    if (!enabled) return true;
    RegisterReader in(r, fault);
    const bool disabled = in.get<hw::VPC_SO_DISABLE>().disable;
    if (!in || disabled) return bool(in);
    const uint32_t of_buffer[kBuffers] = {control.buf0_stream, control.buf1_stream, control.buf2_stream,
                                          control.buf3_stream};
    for (unsigned b = 0; b < kBuffers; ++b) {
        buffers_[b] = {};
        if (of_buffer[b] == 0 || of_buffer[b] > kStreams || !(enabled >> (of_buffer[b] - 1) & 1)) continue;
        buffers_[b] = {of_buffer[b], in.get<hw::VPC_SO_BUFFER_BASE>(b).value,
                       in.get<hw::VPC_SO_BUFFER_SIZE>(b).value, in.get<hw::VPC_SO_BUFFER_STRIDE>(b).value};
        in.get<hw::VPC_SO_BUFFER_OFFSET>(b);  // write() reads it
        if (!in) return false;
    }
    for (unsigned s = 0; s < kStreams; ++s) {
        streams_[s].enabled = enabled >> s & 1;
        if (streams_[s].enabled) decode_program(r, s, stride);
    }
    return true;
}

bool StreamOutput::write(Machine& machine, unsigned stream, const VertexOutputs& vertices,
                         const uint32_t* corner, unsigned corners, Fault* fault) {
    const Stream& s = streams_[stream];
    ++machine.stream_output_primitives[1][stream];
    uint32_t offset[kBuffers];
    for (unsigned b = 0; b < kBuffers; ++b) {
        const Buffer& buffer = buffers_[b];
        if (buffer.stream != stream + 1) continue;
        offset[b] = machine.registers.get<hw::VPC_SO_BUFFER_OFFSET>(b).value;
        if (uint64_t(offset[b]) + uint64_t(corners) * buffer.stride_B > buffer.size_B) return true;
    }
    if (!s.wrong.empty()) return fail(fault, s.wrong);
    core::StoredRange stored(machine.uche_space());
    for (unsigned k = 0; k < corners; ++k) {
        const uint32_t* outputs = vertices.of(corner[k]);
        for (const Words& w : s.words) {
            const uint64_t va = buffers_[w.buffer].base + offset[w.buffer] + w.offset_B;
            if (!machine.memory.write(va, &outputs[w.location], 4 * w.count))
                return fail(fault, FaultKind::Memory, "stream output buffer ", w.buffer, ": ",
                            to_string(machine.memory.fault()));
            stored.add(va, 4 * w.count);
        }
        for (unsigned b = 0; b < kBuffers; ++b)
            if (buffers_[b].stream == stream + 1) offset[b] += buffers_[b].stride_B;
    }
    for (unsigned b = 0; b < kBuffers; ++b)
        if (buffers_[b].stream == stream + 1)
            machine.registers.write(hw::VPC_SO_BUFFER_OFFSET::at(b), offset[b]);
    ++machine.stream_output_primitives[0][stream];
    return true;
}

}  // namespace terrazzo::adreno::sim
