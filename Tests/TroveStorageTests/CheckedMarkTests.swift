import EngineSupport
import Foundation
import Testing
import TroveBackendKit

/// A mark is believed of the file that it was made of, and of no other state of it.
@Suite struct CheckedMarkTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let file: FileHandle

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store")
        // Large enough: a small file gets no mark.
        try Data(count: 9 << 20).write(to: URL(filePath: path))
        file = try #require(FileHandle(forUpdatingAtPath: path))
    }

    private func leave(state: UInt64 = 7, _ extent: CheckedMark.Extent = .everyPage) { CheckedMark.leave(for: file.fileDescriptor, at: path, state: state, extent: extent) }

    private func extent(state: UInt64 = 7) -> CheckedMark.Extent? { CheckedMark.extent(of: file.fileDescriptor, at: path, state: state) }

    @Test func aMarkIsBelievedUntilTheFileIsWritten() throws {
        #expect(extent() == nil)
        leave()
        #expect(extent() == .everyPage)
        #expect(extent(state: 8) == nil)
        // The same bytes once more, at once: the system's times have steps, and the mark was not made in this one.
        try file.seek(toOffset: 5_000)
        try file.write(contentsOf: Data([0]))
        #expect(extent() == nil)
        leave(.branchPages)
        #expect(extent() == .branchPages)
    }

    @Test(arguments: ["touch -r other store", "chmod 600 store", "truncate -s +1 store", "cp store copy && mv copy store", "cp -p store copy && mv copy store", "mv store away && mv away store"])
    func whateverHappensToTheFileIsNoticed(_ command: String) throws {
        try Data().write(to: URL(filePath: directory.file("other")))
        leave()
        #expect(extent() == .everyPage)
        #expect(try Tool(at: URL(filePath: "/bin/sh")).run(["-c", "cd '\(directory.path)' && \(command)"]).status == 0)
        let found = try #require(FileHandle(forReadingAtPath: path))
        #expect(CheckedMark.extent(of: found.fileDescriptor, at: path, state: 7) == nil, "\(command)")
    }

    /// Each bit of a mark counts, and a part of one is none.
    @Test func aDamagedMarkIsNone() throws {
        leave()
        let url = URL(filePath: path + CheckedMark.ending)
        let mark = try Data(contentsOf: url)
        for bit in 0..<mark.count * 8 {
            var damaged = mark
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try damaged.write(to: url)
            #expect(extent() == nil, "bit \(bit)")
        }
        for count in 0..<mark.count {
            try mark.prefix(count).write(to: url)
            #expect(extent() == nil)
        }
        try mark.write(to: url)
        #expect(extent() == .everyPage)
    }

    /// What is in the mark's place is neither followed nor written to.
    @Test(arguments: ["ln -s victim store-checked", "mkdir store-checked", "mkfifo store-checked"]) func theMarksPlaceIsNotFollowed(_ command: String) throws {
        let victim = URL(filePath: directory.file("victim"))
        try Data("mine".utf8).write(to: victim)
        #expect(try Tool(at: URL(filePath: "/bin/sh")).run(["-c", "cd '\(directory.path)' && \(command)"]).status == 0)
        leave()
        #expect(extent() == nil)
        #expect(try Data(contentsOf: victim) == Data("mine".utf8))
    }

    /// A small file is checked faster than the next step of the system's times comes. It gets no mark, not even when that step has come, so that what stands beside a store does
    /// not depend on how fast the disk was.
    @Test func aSmallFileGetsNone() throws {
        try file.truncate(atOffset: 8 << 20 - 1)
        usleep(50_000)
        leave()
        #expect(extent() == nil)
        #expect(!FileManager.default.fileExists(atPath: path + CheckedMark.ending))
        try file.truncate(atOffset: 8 << 20)
        leave()
        #expect(extent() == .everyPage)
    }
}
