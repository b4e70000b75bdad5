<#macro registrationLayout bodyClass="" displayInfo=false displayMessage=true displayRequiredFields=false>
<!doctype html>
<html lang="en" class="${properties.kcHtmlClass!}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <meta name="robots" content="noindex,nofollow">
  <title>${msg("loginTitle")}</title>
  <link rel="icon" href="data:,">
  <#if properties.styles?has_content>
  <#list properties.styles?split(" ") as style>
  <link rel="stylesheet" href="${url.resourcesPath}/${style}">
  </#list>
  </#if>
  <#if scripts??>
  <#list scripts as script>
  <script src="${script}" type="text/javascript"></script>
  </#list>
  </#if>
</head>
<body class="${properties.kcBodyClass!}">
<main class="card">
  <p class="brand"><svg width="28" height="28" viewBox="0 0 26 26" fill="none" aria-hidden="true"><path d="M5.5 25V10a8.5 8.5 0 1 1 8.5 8.5" stroke="currentColor" stroke-width="5.4"/><path class="bore" d="M5.5 25V10a8.5 8.5 0 1 1 8.5 8.5" stroke-width="2.2"/><circle cx="14" cy="10" r="2.4" fill="currentColor"/></svg>Penstock</p>
  <h1><#nested "header"></h1>
  <#if auth?has_content && auth.showUsername() && !auth.showResetCredentials()>
  <p class="who">${auth.attemptedUsername} <a href="${url.loginRestartFlowUrl}">Use another address</a></p>
  </#if>
  <#if displayMessage && message?has_content && (message.type != 'warning' || !isAppInitiatedAction??)>
  <p class="note ${message.type}" role="alert">${kcSanitize(message.summary)?no_esc}</p>
  </#if>
  <#nested "form">
  <#if displayInfo>
  <div class="info"><#nested "info"></div>
  </#if>
  <p class="foot">New here? <a href="${(client.baseUrl)!'/'}signup">Create an account</a></p>
</main>
</body>
</html>
</#macro>
