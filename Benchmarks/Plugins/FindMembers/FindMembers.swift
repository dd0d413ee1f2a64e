import Foundation
import PackagePlugin

/// Lets the build list the workloads and contestants that there are files of, so that a new one is one file.
@main
struct FindMembers: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url).filter { url in
            url.pathComponents.contains("Workloads") || url.pathComponents.contains("Contestants")
        }.sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("Found.swift")
        return [
            .buildCommand(
                displayName: "Listing workloads and contestants", executable: try context.tool(named: "MemberFinder").url,
                arguments: [output.path] + sources.map(\.path), inputFiles: sources, outputFiles: [output])
        ]
    }
}
