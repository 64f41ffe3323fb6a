// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/rd_files.h"

#include <cstdio>

#include "drivers/adreno/decode/decode.h"

namespace terrazzo::adreno::sim {

namespace {

class RdRecorder final : public capture::FileRecorder {
  public:
    RdRecorder(const std::string& name, const hw::Chip& chip, uint64_t limit)
        : FileRecorder(name, limit), chip_(chip) {}

  private:
    bool write(const winsys::virt::AddressSpace& space, uint32_t,
               std::span<const capture::Stream> streams) override {
        RdWriter writer;
        if (!has_begun_) {
            writer.chip_id(chip_.chip_id);
            writer.gpu_id(chip_.gpu_id);
            writer.cmd("terrazzo");
            has_begun_ = true;
        }
        if (!put(writer)) return false;
        // One region at a time: two copies of all memory would be too much.
        for (const winsys::virt::Region& r : space.regions()) {
            RdWriter buffer;
            buffer.buffer(r.va_begin, {r.host, size_t(r.va_end - r.va_begin)});
            if (!put(buffer)) return false;
        }
        RdWriter submits;
        for (const capture::Stream& stream : streams)
            submits.submit(stream.va, uint32_t(stream.size_B / 4));
        return put(submits);
    }
    bool put(const RdWriter& writer) {
        const std::vector<uint8_t>& bytes = writer.file();
        return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file()) == bytes.size();
    }

    const hw::Chip& chip_;
    bool has_begun_ = false;
};

}  // namespace

void RdWriter::put_u32(uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        file_.push_back(uint8_t(value >> shift));
}

void RdWriter::section(RdType type, std::span<const uint8_t> data) {
    put_u32(uint32_t(type));
    put_u32(uint32_t(data.size()));
    file_.insert(file_.end(), data.begin(), data.end());
}

void RdWriter::cmd(std::string_view program) {
    put_u32(uint32_t(RdType::Cmd));
    put_u32(uint32_t(program.size() + 1));  // readers expect a terminating zero, which counts
    file_.insert(file_.end(), program.begin(), program.end());
    file_.push_back(0);
}

void RdWriter::gpu_id(uint32_t id) {
    put_u32(uint32_t(RdType::GpuId));
    put_u32(4);
    put_u32(id);
}

void RdWriter::chip_id(uint64_t id) {
    put_u32(uint32_t(RdType::ChipId));
    put_u32(8);
    put_u32(uint32_t(id));
    put_u32(uint32_t(id >> 32));
}

void RdWriter::address(RdType type, uint64_t va, uint32_t size) {
    put_u32(uint32_t(type));
    put_u32(12);
    put_u32(uint32_t(va));
    put_u32(size);
    put_u32(uint32_t(va >> 32));
}

void RdWriter::buffer(uint64_t va, std::span<const uint8_t> contents) {
    address(RdType::GpuAddr, va, uint32_t(contents.size()));
    section(RdType::BufferContents, contents);
}

void RdWriter::submit(uint64_t va, uint32_t size_dw) {
    address(RdType::CmdstreamAddr, va, size_dw);
}

std::unique_ptr<capture::Recorder> create_rd_recorder(const hw::Chip& chip, const std::string& name,
                                                      uint64_t limit) {
    // Further address spaces have names such as "a.rd.1".
    if (!name.ends_with(".rd") && name.find(".rd.") == std::string::npos) return nullptr;
    return std::make_unique<RdRecorder>(name, chip, limit);
}

bool play_rd(std::span<const uint8_t> file, host::Player& player, std::string* error) {
    if (decode::file_kind(file) != decode::FileKind::Rd) {
        *error = "it is neither a file of the freedreno tools nor a capture of an Adreno";
        return false;
    }
    decode::RdReader sections(file);
    uint64_t address = 0;
    std::vector<capture::RecordedStream> streams;  // of one submit: consecutive ones
    player.fill_gaps();
    for (decode::RdSection s; sections.next(&s);) {
        bool ok = true;
        if (s.type != decode::RdType::CmdstreamAddr && !streams.empty()) {
            if (!player.submit(0, streams, error)) return false;
            streams.clear();
        }
        switch (s.type) {
            case decode::RdType::Test:
            case decode::RdType::Cmd:
                break;
            case decode::RdType::GpuAddr:  // a buffer; its contents may be missing
                address = s.va;
                ok = player.map(s.va, s.size, error);
                break;
            case decode::RdType::BufferContents:
                ok = player.put(address, s.data, error);
                break;
            case decode::RdType::GpuId:
                ok = player.chip(uint32_t(s.id), 0, error);
                break;
            case decode::RdType::ChipId:
                ok = player.chip(0, s.id, error);
                break;
            case decode::RdType::CmdstreamAddr:
                streams.push_back({s.va, uint64_t(s.size) * 4});
                break;
        }
        if (!ok) return false;
    }
    if (sections.error()) *error = sections.error();
    return !sections.error() && (streams.empty() || player.submit(0, streams, error));
}

}  // namespace terrazzo::adreno::sim
