import Foundation

/// The answers that `make_answers.py` computed.
struct PackageAnswers: Decodable {
    struct Answer: Decodable {
        let criteria: String
        let count: Int
        let names: String
    }

    struct Section: Decodable {
        let section: String?
        let count: Int
        let installed: Int
        let largest: Int?
    }

    let packages: Int
    let dependencies: Int
    let answers: [Answer]
    let sections: [Section]

    static func load(_ name: String) throws -> PackageAnswers {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name)
        return try JSONDecoder().decode(PackageAnswers.self, from: Data(contentsOf: file))
    }

    /// The hash of names in order, as `make_answers.py` makes it.
    static func hash(_ names: [String]) -> String {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for name in names {
            for byte in Array(name.utf8) + [10] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
