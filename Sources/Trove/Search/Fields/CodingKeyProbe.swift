/// Finds whether a `Codable` type has a coding key, by beginning to decode a value: the type asks for a container with its keys' type first.
struct CodingKeyProbe: Decoder {
    private struct Answer: Error {
        let hasKey: Bool
    }

    let name: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Whether values of `type` are stored by names, and `name` is one of them.
    static func hasKey(_ name: String, in type: any Decodable.Type) -> Bool {
        do {
            _ = try type.init(from: CodingKeyProbe(name: name))
            return false
        } catch let answer as Answer {
            return answer.hasKey
        } catch {
            return false
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Answer(hasKey: Key(stringValue: name) != nil)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Answer(hasKey: false) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Answer(hasKey: false) }
}
