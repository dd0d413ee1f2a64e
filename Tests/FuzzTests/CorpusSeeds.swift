import Foundation
import Testing

@testable import Trove

/// Real encodings for fuzzing to begin with. `TROVE_SEED_CORPUS=1 swift test --filter CorpusSeeds` writes those that are missing.
@Suite struct CorpusSeeds {
    @Test(arguments: FuzzTarget.allCases) func areRead(target: FuzzTarget) throws {
        let seeds = try Self.seeds(target)
        #expect(!seeds.isEmpty)
        let folder = FuzzCorpus.folder.appendingPathComponent(target.rawValue)
        func file(_ seed: [UInt8]) -> URL { folder.appendingPathComponent("seed-" + String(Checksum.hash(seed), radix: 16)) }
        // Those in the corpus are read with it.
        for seed in seeds where !FileManager.default.fileExists(atPath: file(seed).path) { try target.check(seed) }
        guard ProcessInfo.processInfo.environment["TROVE_SEED_CORPUS"] != nil else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for seed in seeds { try Data(seed).write(to: file(seed)) }
    }

    private static func seeds(_ target: FuzzTarget) throws -> [[UInt8]] {
        let objects = (0..<6).map(FuzzedModel.init(sample:))
        switch target {
        case .nested: return try nestedValues.map { try $0.nestedBytes(depth: 0) }
        case .keys: return keys.enumerated().flatMap { number, key in [[UInt8(number)] + key] }
        case .records: return try objects.map(RecordCheck.seed)
        case .layouts: return try [3, 7, 14, 20].map { try LayoutCheck.seed(objects[4], fields: $0) }
        case .catalogue: return try catalogue()
        case .indexEntries:
            return [
                [0, 5, 1, 2, 3, 4, 5, 3, 0x41, 0x61, 0x21], [0, 3, 9, 9, 9, 242, 2, 7, 7, 0x21], [1, 0] + [UInt8](repeating: 1, count: 40),
                [0, 20] + [UInt8](repeating: 7, count: 20) + [244, 3, 1, 2, 3], [2, 4] + Array("blob".utf8) + [1, 2, 3, 4, 5, 6, 7, 8, 9],
                [1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 30),
                // Of the index that the check declares: a text and a number, the id, two covered numbers.
                [0, 15, 254, 158, 157, 255, 1, 128, 0, 0, 0, 0, 0, 0, 5, 0x78, 0, 13, 0x21, 0x22],
                // What blobs in chunks have beside them.
                try [3, 4] + Array("blob".utf8) + BlobHeader(number: 7, size: 70_000, chunkSize: BlobSpace.chunkSize, sha256: Data(count: SHA256.size)).encode(name: "blob").dropFirst(8),
                try [3, 8] + BlobKey.upload(7) + BlobUpload(number: 7, name: "blob", source: .transfer, size: 65_512, date: Date(timeIntervalSince1970: 0)).encode().dropFirst(8),
            ]
        case .postings:
            let tail: [UInt8] = Array("term".utf8) + [0, 255]
            let block: [UInt8] = Array("term".utf8) + [0, 1, 9]
            return [
                [0, UInt8(tail.count)] + tail + [3, 2, 5, 0, 3, 0, 2, 1, 4], [0, UInt8(block.count)] + block + [0, 3, 1, 0, 2, 1, 1, 1],
                [1, UInt8(tail.count)] + tail + [1, 2, 2, 0, 3], [2, 3, 1, 1, 0, 1, 5, 6, 7], [3, 3, 1, 1, 1, 2, 3, 0, 0, 0, 1, 2, 3, 4],
                [3, 3, 1, 1, 1, 0, 5, 0, 0, 0, 2, 1, 2, 1, 3], [4, 2, 7, 7, 5], [5, 3, 1, 1, 1, 3, 9, 40, 1, 5, 5],
            ]
        case .json: return try nestedValues.map { Array(try $0.jsonData(.pretty)) } + json.map { Array($0.utf8) }
        case .criteria: return criteria.map { Array($0.utf8) }
        case .words:
            return [
                "autumn leaves", "\"bill ev\"* OR -live", "title:(blue AND train) NOT notes:\"so what\"*", "déjà vu Straße ǅ ﬃ İ",
                "((a OR b) c) \"\" * : -", "日本語 カタカナ 한국어 can't 3.14 a_b 👍🏽", "running runs ran nationality hopefulness",
            ].enumerated().map { number, text in [UInt8(number & 1), UInt8(number >> 1 & 1), UInt8(number & 3)] + Array(text.utf8) }
        case .tokens: return try tokens()
        case .stores: return try StoreCheck.seeds()
        case .forgeries: return try ForgeryCheck.seeds()
        }
    }

    private static let nestedValues: [StoredValue] = [
        .null, .bool(true), .bool(false), .int(0), .int(31), .int(32), .int(-1), .int(.min), .uint(.max), .float(1.5), .double(.nan),
        .decimal(Decimal(string: "-1.50") ?? 0), .decimal(.nan), .decimal(.greatestFiniteMagnitude), .string(""), .string("é"),
        .string(String(repeating: "long ", count: 30)), .data(Data([0, 255])), .date(Date(timeIntervalSinceReferenceDate: -1)),
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .objectID(ObjectID(high: 1, low: 2)),
        .array([.int(1), .null, .array([])]), .object(["name": .string("x"), "parts": .array([.object([:])]), "size": .double(2)]),
        .dictionary([.int(1): .string("one"), .data(Data([1])): .null]), .array([.double(1), .float(2)]),
        .array((0..<40).map { .int($0) }), .dictionary([.double(0.5): .decimal(2)]), .array([.objectID(ObjectID(high: 3, low: 4))]),
        .int128(.min), .duration(.seconds(-1)), .geoPoint(GeoPoint(latitude: 52.5, longitude: 13.4)!), .array([.uint128(.max), .int128(1 << 70)]),
    ]

    private static let json = [
        #"{"b":[1,-2.5e-3,1E400,true,false,null],"a":{"$$x":"\u00e9\ud83d\ude00\n"},"a":1}"#, #"[{"$date":"2024-02-29T23:59:60.25+02:00"},{"$date":1e300}]"#,
        #"{"$dictionary":[[{"$int":"5"},"x"],[[1],{"$float":"nan:7fc00001"}]]}"#, #"[{"$decimal":"-1.50e-9"},{"$duration":"-90.5"},{"$data":"AP8="}]"#,
        #"{"$uuid":"01020304-0506-0708-090a-0b0c0d0e0f10"}"#, "[[[[{}]]]]", "340282366920938463463374607431768211455", "\u{FEFF} -0.0", "[1,]", "\"\\ud800\"",
    ]

    private static let keys: [[UInt8]] = [
        true.keyBytes, Int8(-5).keyBytes, Int16(300).keyBytes, Int32.min.keyBytes, Int64.max.keyBytes, UInt8(7).keyBytes, UInt16(7).keyBytes,
        UInt32(7).keyBytes, UInt64.max.keyBytes, Float(-1.5).keyBytes, Double.nan.keyBytes, (Decimal(string: "-123.456") ?? 0).keyBytes,
        "a\0b\u{1}é".keyBytes, Data([0, 1, 2]).keyBytes, Date(timeIntervalSinceReferenceDate: 5).keyBytes,
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)).keyBytes, "https://example.org/a%20b".keyBytes,
        ObjectID(high: 1, low: 2).keyBytes, Int?.some(3).keyBytes, String??.some(nil).keyBytes, Decimal?.some(1).keyBytes,
        "tuple".keyBytes + Decimal?.some(9).keyBytes + Data([1]).keyBytes + Date(timeIntervalSinceReferenceDate: 1).keyBytes,
        "Fuzzed".keyBytes + "object 1".keyBytes,
    ]

    private static let criteria = [
        "artist = 'Bill Evans' and year < 1965 order by year desc, title limit 10 offset 3", "year between 1950 and 1960 or rating is not nil",
        "title contains 'it''s' ignoring case", "any tags = 'live'", "all of lines (price > 3 and object.total < 5)",
        "none keys of names begins with 'a'", "year in (1, 2.5, -3, 1e3)", "not (a = true) and \"odd name\".b.c != nil",
        "title matches '^a.*b$'", "has words '\"so what\" -live'", "title has words 'x*'", "is unreferenced or has dangling references",
        "created > 2001-02-03T04:05:06.789Z", "id = 01234567-89ab-cdef-0123-456789abcdef", "data = x'00ff'", "{\"a\": [1, nil, 'x']} = value",
        "artist = ? and year > ?", "artist = :name and year != :from", "price = 12.345678901234567890123456789",
    ]

    private static func catalogue() throws -> [[UInt8]] {
        let backend = MemoryBackend()
        let store = try ObjectStore(backend, durability: .relaxed, models: FuzzedModel.self)
        let bag = Bag(named: "bag", in: store)
        try bag.save()
        var seeds: [[UInt8]] = []
        try backend.read { reader in
            guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return }
            try reader.scan(in: keyspace) { key, value in
                let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
                let number: UInt8 = name == "store" ? 0 : name == "indexes" ? 3 : name.hasPrefix("layout") ? 1 : 4
                seeds.append([number] + [UInt8](copying: value).dropLast(8))
                return .next
            }
        } as Void
        try store.close()
        return seeds + ["[String: Set<Int64?>]", "Codable<A<B>>?", "Decimal??"].map { [6] + Array($0.utf8) }
    }

    private static func tokens() throws -> [[UInt8]] {
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed, models: FuzzedModel.self)
        try store.save((0..<12).map(FuzzedModel.init(sample:)))
        var seeds: [[UInt8]] = [[0], [0] + Array("AAAA_-".utf8)]
        for (number, fetch) in [
            store.fetch(FuzzedModel.self).sorted(by: \.number), store.fetch(FuzzedModel.self).sorted(by: \.text).sorted(by: \.decimal, .descending),
            store.fetch(FuzzedModel.self),
        ].enumerated() {
            let (_, next) = try fetch.page(5)
            let text = try #require(next?.text)
            seeds.append([UInt8(number << 1)] + Array(text.utf8))
            let standard = text.replacing("-", with: "+").replacing("_", with: "/")
            let bytes = [UInt8](try #require(Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))))
            seeds.append([UInt8(number << 1 | 1)] + bytes[9..<bytes.count - 4])
        }
        try store.close()
        return seeds
    }
}
