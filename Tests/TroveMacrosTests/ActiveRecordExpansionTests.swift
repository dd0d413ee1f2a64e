import Testing

@Suite struct ActiveRecordExpansionTests {
    @Test func findersOfProperties() {
        expectExpansion(
            #"""
            @ActiveRecord @Model public struct Song {
                #Unique<Song>([\.title], identity: true)
                var title: String
                var year = 1900, live = false
                var added = Date()
                private var `default`: Int?
                var notes = makeNotes()
                @Transient var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}
            }
            """#,
            #"""
            public struct Song {
                var title: String
                var year = 1900, live = false
                var added = Date()
                private var `default`: Int?
                var notes = makeNotes()
                var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}

                /// Finds objects by id, `find(id)`, and by the values of their properties.
                public nonisolated static var find: Finders { Finders() }

                /// The finders of `Song`.
                public nonisolated struct Finders: TroveActiveRecord.ObjectFinder {
                    public typealias Object = Song

                    public func byTitle(_ value: String) throws -> [Song] { try by(\.title, value) }

                    public func firstByTitle(_ value: String) throws -> Song? { try first(by: \.title, value) }

                    public func byTitle(_ value: String) async throws -> [Song] { try await by(\.title, value) }

                    public func firstByTitle(_ value: String) async throws -> Song? { try await first(by: \.title, value) }

                    public func byYear(_ value: Int) throws -> [Song] { try by(\.year, value) }

                    public func firstByYear(_ value: Int) throws -> Song? { try first(by: \.year, value) }

                    public func byYear(_ value: Int) async throws -> [Song] { try await by(\.year, value) }

                    public func firstByYear(_ value: Int) async throws -> Song? { try await first(by: \.year, value) }

                    public func byLive(_ value: Bool) throws -> [Song] { try by(\.live, value) }

                    public func firstByLive(_ value: Bool) throws -> Song? { try first(by: \.live, value) }

                    public func byLive(_ value: Bool) async throws -> [Song] { try await by(\.live, value) }

                    public func firstByLive(_ value: Bool) async throws -> Song? { try await first(by: \.live, value) }

                    public func byAdded(_ value: Date) throws -> [Song] { try by(\.added, value) }

                    public func firstByAdded(_ value: Date) throws -> Song? { try first(by: \.added, value) }

                    public func byAdded(_ value: Date) async throws -> [Song] { try await by(\.added, value) }

                    public func firstByAdded(_ value: Date) async throws -> Song? { try await first(by: \.added, value) }

                    fileprivate func byDefault(_ value: Int?) throws -> [Song] { try by(\.`default`, value) }

                    fileprivate func firstByDefault(_ value: Int?) throws -> Song? { try first(by: \.`default`, value) }

                    fileprivate func byDefault(_ value: Int?) async throws -> [Song] { try await by(\.`default`, value) }

                    fileprivate func firstByDefault(_ value: Int?) async throws -> Song? { try await first(by: \.`default`, value) }
                }

                public typealias ID = String

                public nonisolated var id: ID { self.title }
            }

            extension Song: nonisolated Trove.Model, Sendable {}
            """#)
    }

    @Test func onlyOnModels() {
        expectDiagnostic(
            DiagnosticCase(
                "no model", "▸@ActiveRecord struct Song { var title: String }", "'@ActiveRecord' belongs on a type that has '@Model'"))
    }
}
